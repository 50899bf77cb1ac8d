"""Workspace recipes: what a checkout needs before anybody can build in it."""
