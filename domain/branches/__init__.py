"""What a thread's branch holds against the branch that it began on, and its merge into that."""
