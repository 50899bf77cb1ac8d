"""Forks: new threads that begin at a moment of another one, which stays as it is."""
