"""The `Workspaces` port on git: worktrees of our own, commits, merges without a checkout."""
