"""Plans, amendments, templates and plan files."""
