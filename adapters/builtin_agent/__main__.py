"""Starts the agent on standard input and output: `python adapters/builtin_agent`."""

from treadle_agent.server import main

if __name__ == "__main__":
    main()
