"""Receipts: what was proven of a published tree, as a signed statement."""
