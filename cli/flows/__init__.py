"""Flows and their runs."""
