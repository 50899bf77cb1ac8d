"""Chats that share a directory."""
