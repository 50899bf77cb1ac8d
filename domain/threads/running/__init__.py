"""The running plan: tasks, decisions, the coordinator, learnings and supervision."""
