"""Numbers as people name them on the command line."""

MAX_NUMBER = (1 << 53) - 1
"""The largest of positions, revisions and the like: what every program reads as it was written."""
