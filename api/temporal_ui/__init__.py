"""Temporal's Web UI under our sign-in, with what Temporal holds in clear."""
