"""Trackers: issues that become work."""
