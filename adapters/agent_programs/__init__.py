"""Agents' programs: found, installed in exact versions, looked at, and judged."""
