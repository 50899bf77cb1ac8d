"""The base of a thread's branch: fetched, and taken in when it has moved (ADR 0080)."""
