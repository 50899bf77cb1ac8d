"""The plan files of a thread: what an agent keeps for itself over long work (seed 004)."""
