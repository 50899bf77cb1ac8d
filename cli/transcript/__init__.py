"""Events as lines of a log."""
