"""People: tokens."""
