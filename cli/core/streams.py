"""Following a stream of events across restarts of the engine."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import httpx

from cli.core.client import Client, path_of
from cli.core.console import say
from cli.core.errors import CommandError, RefusedError, UnreachableError

RETRY_SECONDS = 1.0
PASSING = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
"""Errors that end by themselves; an internal error (500) does not."""


def followed(
    client: Client,
    path: str,
    after: int = 0,
    *,
    patience: float | None = None,
    on_open: Callable[[httpx.Response], None] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream, across lost connections.

    `patience` is how many seconds the engine may be away; None is forever. `on_open` gets each connection's answer.

    Raises:
        UnreachableError: It was away for longer.
        RefusedError: The stream no longer exists.
    """
    heard_at = time.monotonic()
    while True:
        try:
            for event in client.events(path, after, on_open):
                heard_at, row = time.monotonic(), event.json()
                after = row["position"]
                yield row
        except CommandError as error:
            is_late = patience is not None and time.monotonic() - heard_at > patience
            if is_late or not _is_away(error):
                raise
            say(f"{error}; retrying", style="dim")
        time.sleep(RETRY_SECONDS)


def _is_away(error: CommandError) -> bool:
    """Tell whether the engine may answer again by itself."""
    if isinstance(error, RefusedError):
        return error.status in PASSING
    return isinstance(error, UnreachableError)


class EventWatcher:
    """Signals every event of a thread after a position, across lost connections."""

    def __init__(self, client: Client, thread_id: str, after: int) -> None:
        self.is_connected = True
        self._client = client
        self._path = path_of("threads", thread_id, "events", "stream")
        self._position = after
        self._has_news = threading.Event()
        self._stopped = threading.Event()
        self._answer: httpx.Response | None = None
        threading.Thread(target=self._listen, daemon=True, name="events").start()

    def wait(self, seconds: float) -> bool:
        """Wait for an event, at most so long; return whether there was one."""
        has_rung = self._has_news.wait(seconds)
        self._has_news.clear()
        return has_rung

    def close(self) -> None:
        """Stop listening, and end the connection."""
        self._stopped.set()
        if self._answer is not None:
            hang_up(self._answer)

    def _opened(self, answer: httpx.Response) -> None:
        self._answer = answer
        if self._stopped.is_set():
            hang_up(answer)

    def _listen(self) -> None:
        while not self._stopped.is_set():
            try:
                for event in self._client.events(self._path, self._position, self._opened):
                    self.is_connected = True
                    if event.id.isdigit():
                        self._position = int(event.id)
                    self._has_news.set()
                    if self._stopped.is_set():
                        return
            except RefusedError:
                self._has_news.set()  # whoever waits asks the API itself and shows its error
                self._stopped.wait(RETRY_SECONDS)
            except CommandError:
                self.is_connected = False
                self._has_news.set()
                self._stopped.wait(RETRY_SECONDS)


def hang_up(answer: httpx.Response) -> None:
    """End a connection that another OS thread is reading; it sees the end at once."""
    if answer.is_closed:  # another request may have its connection by now
        return
    found = answer.extensions["network_stream"].get_extra_info("socket")
    with suppress(OSError):  # it has ended by itself
        found.shutdown(socket.SHUT_RDWR)
