"""Imports the module of every event, so that an event of any kind can be read."""
