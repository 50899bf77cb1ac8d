"""Plans: their changes, approvals and execution."""
