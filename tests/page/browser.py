"""A browser for tests: how it starts, and what a page in it complains of."""

import asyncio
import re
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Page, Request, Route

OFF = (
    "WebUIOmniboxPopup",  # this and the next are pages below the address bar: each new context
    "WebUIOmniboxAimPopup",  # drew both anew, for a second of processor time
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""Chromium's features that are off. All but the first two are Playwright's own list, which this
replaces: of two such flags the browser reads the last."""
FLAGS = (
    f"--disable-features={','.join(OFF)}",
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


PRESSES = """addEventListener("click", ({ target }) => {
  window.wasTriedAgain ||= target.closest("button")?.textContent.startsWith("Try again") ?? false;
}, true);"""


class Trouble:
    """Reads that fail while `is_on`, until the person presses "Try again".

    The page asks again by itself, too: what only a press is to fix fails until then.
    """

    def __init__(self, *, is_on: bool) -> None:
        self.is_on = is_on
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def at(self, context: BrowserContext, reads: re.Pattern[str]) -> None:
        """Begin to stand in the way of reads."""
        await context.add_init_script(PRESSES)
        await context.route(reads, self._meet)

    async def _meet(self, route: Route) -> None:
        was_pressed = await route.request.frame.evaluate("window.wasTriedAgain === true")
        if self.is_on and not was_pressed:
            await route.fulfill(status=503, json={})
            return
        await self.may_answer.wait()
        await route.continue_()
