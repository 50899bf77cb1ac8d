"""Conflicts and coming collisions."""
