"""Workspace recipes: how the workspaces of a repository are set up."""
