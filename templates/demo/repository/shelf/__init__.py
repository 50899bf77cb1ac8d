"""A list of books."""
