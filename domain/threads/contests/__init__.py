"""Tasks that several agents do at once, and of whose work one person chooses."""
