"""The status screen of `treadle up`: what runs, where, how much is to do, how to stop."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Any

import httpx
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from cli.core.console import messages, plain
from settings import Settings
from treadle.engine import EngineState
from treadle.found import found_here
from treadle.parts import plain_http

REFRESH_SECONDS = 0.5
COLOURS = {"running": "green", "starting": "yellow", "restarting": "red", "stopped": "dim"}


class Screen:
    """Shows an engine until it is cancelled: live on a terminal, one line per change elsewhere."""

    def __init__(self, settings: Settings, state: EngineState, *, is_silent: bool) -> None:
        self._settings = settings
        self._state = state
        self._is_silent = is_silent
        self._threads = "…"
        self._found = found_here(settings)

    async def run(self) -> None:
        """Keep the screen true until cancelled."""
        if self._is_silent:
            return
        if messages.is_terminal:
            with Live(console=messages, get_renderable=self._picture, auto_refresh=False) as live:
                try:
                    while True:
                        live.refresh()
                        await self._count_threads()
                        await asyncio.sleep(REFRESH_SECONDS)
                finally:
                    live.refresh()
        else:
            await self._print_changes()

    async def _print_changes(self) -> None:
        shown: dict[str, str] = {}
        is_announced = False
        while True:
            for part in self._state.parts:
                if shown.get(part.name) != part.status:
                    shown[part.name] = part.status
                    line = f"{part.name:<9} {part.status:<10} {part.where} (pid {part.pid})"
                    messages.print(line, soft_wrap=True)
            if self._state.status == "running" and not is_announced:
                is_announced = True
                messages.print(summary(self._state, self._found))
            await asyncio.sleep(REFRESH_SECONDS)

    def _picture(self) -> RenderableType:
        return Group(
            plain(f"Treadle {self._state.status}", "bold"),
            _parts(self._state),
            summary(self._state, self._found, self._threads),
            Text("Ctrl-C stops it; threads continue with the next start.", style="dim"),
        )

    async def _count_threads(self) -> None:
        if self._state.status != "running":
            return
        try:
            token = self._settings.token_file.read_text().strip()
            headers = {"Authorization": f"Bearer {token}"}
            async with plain_http() as http:
                answer = await http.get(f"{self._state.api_url}/v1/threads", headers=headers)
                self._threads = _counted(answer.raise_for_status().json()["threads"])
        except (httpx.HTTPError, OSError):
            self._threads = "unknown while the API is unreachable"


def summary(
    state: EngineState, found: Iterable[tuple[str, str]] = (), threads: str | None = None
) -> Table:
    """Return where everything is and what was found on this machine, as two columns."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("Page", "sign in a browser with `treadle open`")
    table.add_row("API", state.api_url)
    table.add_row("Temporal", state.temporal_address)
    if state.ui_url:
        table.add_row("Temporal Web UI", f"{state.ui_url}: sign in with `treadle open --temporal`")
    table.add_row("Data", state.data_dir)
    for name, words in found:
        table.add_row(name, plain(words))
    if threads is not None:
        table.add_row("Threads", threads)
    table.add_row("Start", 'treadle run "GOAL" --repo PATH')
    table.add_row("Stop", "treadle down")
    return table


def _parts(state: EngineState) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("part", "status", "pid", "restarts", "where"):
        table.add_column(heading, style="dim" if heading in {"pid", "restarts"} else "")
    for part in state.parts:
        status = plain(part.status, COLOURS.get(part.status, ""))
        table.add_row(part.name, status, str(part.pid or ""), str(part.restarts or ""), part.where)
    return table


def _counted(rows: list[dict[str, Any]]) -> str:
    """Say how many threads run and how many wait for a person."""
    count = Counter(
        "waiting for you" if row.get("waiting_for") else str(row.get("status", "open"))
        for row in rows
    )
    return ", ".join(f"{n} {what}" for what, n in count.most_common()) or "none yet"
