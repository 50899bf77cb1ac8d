"""The agents that Treadle can start: list, install, test, trust."""
