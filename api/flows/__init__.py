"""Flow files and flow runs."""
