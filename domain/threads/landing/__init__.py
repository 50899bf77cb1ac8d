"""Merging the branch of a thread into the branch that the thread began on."""
