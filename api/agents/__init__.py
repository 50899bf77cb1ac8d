"""The agents of this host."""
