"""Publishing the branch of a thread."""
