"""Hosts: what each can do, and which one a thread goes to."""
