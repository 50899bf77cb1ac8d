"""What a thread remembers of the person's answers to its agents."""
