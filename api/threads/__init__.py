"""Threads: open, list, control, fork, publish."""
