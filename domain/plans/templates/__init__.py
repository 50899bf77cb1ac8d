"""Plan templates: project conventions for every plan."""
