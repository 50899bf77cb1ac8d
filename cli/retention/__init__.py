"""Prunes, and the threads that they keep."""
