"""Treadle as an agent for editors that speak the Agent Client Protocol: a conversation there is a thread here."""
