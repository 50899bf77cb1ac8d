"""Renaming, archiving, deleting."""
