"""Workspaces of several repositories: side by side, committed, verified and merged together."""
