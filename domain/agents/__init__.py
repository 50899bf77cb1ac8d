"""Agents: profiles, what they offer, sandboxes, permissions, limits."""
