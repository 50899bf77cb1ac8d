"""A browser for tests: how it starts, and what a page in it complains of."""

import re
from urllib.parse import urlsplit

from playwright.async_api import Page, Request

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
OWN_SCHEMES = {"data", "blob", "about"}


class Complaints:
    """What a page's console, policy and network say that nobody should see.

    `expected` are patterns of what a test provokes, like the browser's own line for a refusal.
    """

    def __init__(self, page: Page, host: str) -> None:
        self.expected: list[str] = []
        self._found: list[str] = []
        self._host = host
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._found.append(f"page error: {error}"))
        page.on("request", self._request)

    def _console(self, message: object) -> None:
        kind, text = getattr(message, "type", ""), getattr(message, "text", "")
        if kind in {"error", "warning"}:
            where = getattr(message, "location", {}).get("url", "")
            self._found.append(f"console {kind}: {text} ({where})")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in OWN_SCHEMES and parts.netloc != self._host:
            self._found.append(f"request to another host: {request.url}")

    def left(self) -> list[str]:
        """Return what was not expected."""
        return [line for line in self._found if not any(re.search(p, line) for p in self.expected)]
