"""The rules of a thread: sessions, planning, approval, the task graph, merges."""
