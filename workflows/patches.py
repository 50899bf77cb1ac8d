"""Patch ids: one for each change of the order or kind of commands since the first release.

Each has its reason, its date, and when it may go (when no history older than it can still run).
None so far: 0.1.0 is the first release.
"""
