"""Threads: start, list, show, control, merge."""
