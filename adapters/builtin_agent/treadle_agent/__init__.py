"""A coding agent that speaks the Agent Client Protocol, on pydantic-ai and its harness.

Modules that are imported at start need the standard library only, so that the agent answers at once;
`engine` brings the libraries, and is imported while the client still opens its session.
"""

VERSION = "0.1.0"
