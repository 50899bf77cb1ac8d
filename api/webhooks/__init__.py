"""Webhooks: a listener of their own, where forges and programs say that something happened."""
