"""Sessions: messages, questions, turns."""
