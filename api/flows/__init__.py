"""Flow files, and runs of flows."""
