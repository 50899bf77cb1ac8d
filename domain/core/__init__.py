"""What every concept speaks: ids, errors, events, commands, approvals, workspaces."""
