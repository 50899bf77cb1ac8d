"""What is kept of threads that ended, and for how long."""
