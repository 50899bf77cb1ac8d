"""Trackers: what is configured, how each stands, and looking, pausing and resuming."""
