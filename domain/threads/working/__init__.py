"""The work of a plan without tasks, in the session that planned it."""
