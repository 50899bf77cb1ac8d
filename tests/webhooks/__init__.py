"""Tests of the door through which webhooks come."""
