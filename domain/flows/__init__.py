"""Flows: sequences of steps from a file, with loops and breaks, run by agents."""
