"""What happened in a thread, by the clock: when each task did what, and the moments to go back to."""
