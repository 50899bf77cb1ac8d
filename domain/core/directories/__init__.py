"""Directories that several workflows share."""
