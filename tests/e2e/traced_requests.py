"""Requests of tests that fail on their connection, with how far they came: on a new or a kept one, sent or not."""

import time
from typing import Any

import httpx


class TracedTransport(httpx.AsyncHTTPTransport):
    """Notes at an error of a connection what was done on it, with the seconds since the request began."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        began, steps = time.monotonic(), list[str]()

        async def trace(name: str, _: dict[str, Any]) -> None:
            steps.append(f"{name} {time.monotonic() - began:.3f}")

        request.extensions["trace"] = trace
        try:
            return await super().handle_async_request(request)
        except httpx.TransportError as error:
            error.add_note(f"{request.method} {request.url.path}: {', '.join(steps)}")
            raise
