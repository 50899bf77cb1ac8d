"""Putting threads away, keeping what chats changed, plans as files."""
