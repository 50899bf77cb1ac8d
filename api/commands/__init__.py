"""Commands that were left for their workflows."""
