"""What waits for a person, of all threads and runs of flows."""
