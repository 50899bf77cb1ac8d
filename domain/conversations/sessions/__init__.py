"""The rules of one session: prompts in order, one turn at a time."""
