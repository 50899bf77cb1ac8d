"""The queue: plans and flow runs that wait for their place."""
