"""Ids of changes to the rules of threads, which hold for threads that began with them.

A thread is given all that there are when it is opened, as a part of its input: its rules are then the
same for its whole life and where its history is replayed, and no history needs a marker for them.
"""

PLANNING_IN_CHATS = "planning-in-chats"
"""A chat that is to be planned goes on as the planner; before, another session was opened. 2026-11-26."""

ALL = (PLANNING_IN_CHATS,)
