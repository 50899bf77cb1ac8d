"""Schedules: goals and flows that go into the queue by the clock."""
