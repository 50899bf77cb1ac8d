"""Verification: steps, clean checkouts, reviews, changed judges."""
