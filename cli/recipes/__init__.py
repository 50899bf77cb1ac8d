"""Workspace recipes on the command line."""
