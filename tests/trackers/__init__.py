"""Trackers: from an issue to its one entry, and back."""
