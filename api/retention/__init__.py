"""Prunes: threads that ended are removed for good, and leave a receipt."""
