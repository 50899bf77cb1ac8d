"""The wire formats.

Each module has `parse` (body -> Request), `whole` (Reply -> body) and `stream` (Reply -> SSE events, as
event name or None, and data).
"""

from tests.model_stub.wire import anthropic, chat, gemini, responses
from tests.model_stub.wire.errors import error

PROTOCOLS = {"chat": chat, "responses": responses, "anthropic": anthropic, "gemini": gemini}

__all__ = ["PROTOCOLS", "anthropic", "chat", "error", "gemini", "responses"]
