"""Amendments of the running plan."""
