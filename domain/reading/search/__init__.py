"""Full-text search: what of the journal is found, by which words, and how a find is shown."""
