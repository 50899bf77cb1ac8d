"""The queue, its schedules and its workflow templates."""
