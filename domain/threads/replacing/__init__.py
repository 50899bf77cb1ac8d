"""Sessions whose workflow has ended by itself, and what takes their place."""
