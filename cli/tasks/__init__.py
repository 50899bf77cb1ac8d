"""Tasks and sessions: their agents, changes, files and terminals."""
