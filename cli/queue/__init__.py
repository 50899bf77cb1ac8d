"""The queue, schedules and workflow templates."""
