"""The rules of one run of a task: turn, verification, gate, end."""
