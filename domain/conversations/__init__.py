"""Conversations with agents: sessions, questions, messages."""
