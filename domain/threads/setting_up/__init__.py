"""Setting a thread's workspaces up: once, before its tasks start."""
