"""Words about planning that the command line recognizes in a list."""

UNPLANNED = "a new attempt at planning"
"""What a thread waits for whose planning ended without a plan."""
