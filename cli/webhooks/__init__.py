"""Webhooks: who may send, what came, and a delivery to try one."""
