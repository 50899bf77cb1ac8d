"""Threads: open, list, steer, fork, publish."""
