"""Changes of a running plan: their shape, what is wrong with one, and what comes of it."""
