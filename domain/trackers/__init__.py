"""Trackers: an issue becomes exactly one entry of the queue, and is told what becomes of it."""
