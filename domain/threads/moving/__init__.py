"""A thread that goes on at another host: its own is lost, or was drained."""
