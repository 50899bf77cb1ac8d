"""Treadle's one importable name: the launcher, and the commands that start processes."""

__version__ = "0.1.0"
