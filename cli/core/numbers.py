"""Limits of numbers on the command line."""

MAX_NUMBER = (1 << 53) - 1
"""The largest position, revision and the like: every JSON parser reads it exactly."""
