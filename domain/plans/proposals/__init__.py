"""From a plan as it was sent to one that a person can be shown."""
