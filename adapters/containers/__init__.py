"""Containers of workspaces: images made of a repository's own description, and one container for each worktree."""
