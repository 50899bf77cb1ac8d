"""The built-in agent: a program that runs in an environment of its own (docs/reference/agents.md).

Nothing here is imported by Treadle, and nothing of Treadle is imported here: the program is started
as `python adapters/builtin_agent` and speaks the Agent Client Protocol. Its libraries are those of
requirements.lock.
"""
