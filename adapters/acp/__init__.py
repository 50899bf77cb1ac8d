"""The agent runner: ACP v1 over stdio, one process a session."""
