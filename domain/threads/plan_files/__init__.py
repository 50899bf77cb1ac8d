"""The plan files that agents of a thread keep for themselves."""
