"""What is waiting for a person: plans, gates, questions, the inbox."""
