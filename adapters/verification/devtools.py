"""A browser that is told what to do by its DevTools protocol, over pipes that no page reaches."""

import asyncio
import base64
import json
from asyncio import Future
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from adapters.processes.children import Child
from domain.verification.pictures import LIMIT_BYTES
from domain.verification.ports import NoPictureError

MESSAGE_BYTES = 2 * LIMIT_BYTES
"""Of one message: a picture is in base64."""

OVER_PIPES = ("/bin/sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 </dev/null 1>&2')
"""Starts a browser whose pipes for this are its standard input and output."""

LOADING_MS = 5_000
"""Of the page's own time, for what it loads and draws after it is there."""

SETTLING_SECONDS = 10.0
"""How long that may take; then the picture is of what is there."""

DRAWING_SECONDS = 3.0
"""How long a page may keep its picture waiting before its script is ended."""

_SIZE = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
_VIRTUAL_TIME = {
    "policy": "pauseIfNetworkFetchesPending",
    "budget": LOADING_MS,
    "maxVirtualTimeTaskStarvationCount": 9_999,
}
_NO_PRINTING = "window.print = () => {}"

Heard = Callable[[dict[str, Any]], None]


class Devtools:
    """Asks a browser, and hears of what happens in it."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._asked: dict[int, Future[dict[str, Any]]] = {}
        self._number = 0
        self._gone: NoPictureError | None = None
        self.session = ""
        """The page that is asked from now on; empty is the browser itself."""

        self.on: dict[str, Heard] = {}
        """What is done with each kind of event."""

    async def listen(self) -> None:
        """Hear the browser until it is gone; then nothing is answered any more."""
        try:
            while True:
                said = await self._child.stdout.readuntil(b"\0")
                self._hear(json.loads(said[:-1]))
        except (EOFError, OSError, ValueError, asyncio.LimitOverrunError):
            last = (self._child.stderr_tail().strip().splitlines() or ["it said nothing"])[-1]
            self._gone = NoPictureError(f"the browser made none: {last[:200]}")
            for future in self._asked.values():
                if not future.done():
                    future.set_exception(self._gone)

    def _hear(self, said: dict[str, Any]) -> None:
        future = self._asked.pop(said.get("id", 0), None)
        if future is not None and not future.done():
            future.set_result(said)
        elif heard := self.on.get(said.get("method", "")):
            heard(said.get("params", {}))

    async def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Have the browser do something; returns its answer.

        Raises:
            NoPictureError: It refuses, or is gone.
        """
        answer = await self._send(method, parameters)
        if "error" in answer:
            raise NoPictureError(f"the browser made none: {answer['error'].get('message', '')}")
        return answer["result"]

    def tell(self, method: str, **parameters: object) -> None:
        """Have it do something, whatever comes of it."""
        sent = self._send(method, parameters)
        sent.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _send(self, method: str, parameters: dict[str, object]) -> Future[dict[str, Any]]:
        self._number += 1
        asked = {"id": self._number, "method": method, "params": parameters}
        if self.session:
            asked["sessionId"] = self.session
        future: Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        if self._gone is not None:
            future.set_exception(self._gone)
            return future
        self._asked[self._number] = future
        with suppress(OSError):  # it is gone: so its output ends, too
            self._child.stdin.write(json.dumps(asked).encode() + b"\0")
        return future


async def picture_of(child: Child, url: str) -> bytes:
    """Return a picture of a page in a browser that was started for it alone.

    No dialog is answered by anybody, so each is closed; a download is refused. What keeps the page busy for ever is
    ended: its picture is of what was drawn before.

    Raises:
        NoPictureError: The browser made none; says why.
    """
    tools = Devtools(child)
    listening = asyncio.create_task(tools.listen())
    try:
        await _open_page(tools)
        opened = await tools.ask("Page.navigate", url=url)
        if opened.get("isDownload"):
            raise NoPictureError("the page is a file to download")
        if why := opened.get("errorText"):
            raise NoPictureError(f"the browser could not open the page: {why}")
        await _settle(tools)
        return base64.b64decode((await _drawn(tools))["data"])
    finally:
        listening.cancel()
        await asyncio.wait({listening})


async def _open_page(tools: Devtools) -> None:
    await tools.ask("Browser.setDownloadBehavior", behavior="deny")
    targets = (await tools.ask("Target.getTargets"))["targetInfos"]
    page = next((each["targetId"] for each in targets if each["type"] == "page"), None)
    if page is None:
        raise NoPictureError("the browser opened no page")
    attached = await tools.ask("Target.attachToTarget", targetId=page, flatten=True)
    tools.session = attached["sessionId"]

    def close(dialog: dict[str, Any]) -> None:
        is_leaving = dialog.get("type") == "beforeunload"
        tools.tell("Page.handleJavaScriptDialog", accept=is_leaving)

    tools.on["Page.javascriptDialogOpening"] = close
    await tools.ask("Page.enable")
    await tools.ask("Page.addScriptToEvaluateOnNewDocument", source=_NO_PRINTING)
    await tools.ask("Emulation.setDeviceMetricsOverride", **_SIZE)


async def _settle(tools: Devtools) -> None:
    """Wait until a page had its time to load and draw."""
    is_settled = asyncio.Event()
    tools.on["Emulation.virtualTimeBudgetExpired"] = lambda _: is_settled.set()
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLING_SECONDS):
            await tools.ask("Emulation.setVirtualTimePolicy", **_VIRTUAL_TIME)
            await is_settled.wait()


async def _drawn(tools: Devtools) -> dict[str, Any]:
    """Have a page drawn; a script that never ends is ended first."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAWING_SECONDS):
            return await tools.ask("Page.captureScreenshot", format="png")
    tools.tell("Runtime.terminateExecution")
    return await tools.ask("Page.captureScreenshot", format="png")
