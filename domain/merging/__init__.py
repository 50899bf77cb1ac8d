"""Conflicts of merges, and files that several changed."""
