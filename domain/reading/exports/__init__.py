"""A whole thread as a text."""
