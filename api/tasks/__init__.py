"""Tasks: their diffs, turns, conflicts and terminals."""
