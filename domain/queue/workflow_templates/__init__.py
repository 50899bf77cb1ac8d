"""Workflow templates: named sets of goals that go into the queue together."""
