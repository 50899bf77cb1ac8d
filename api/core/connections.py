"""Limits on idle and slow connections, which uvicorn does not have."""

import sys
from asyncio import BaseTransport, TimerHandle, Transport
from collections.abc import Mapping
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from api.core import problems
from api.core.problems import Problem, problem
from api.core.rates import Limits

_PATIENCE: dict[object, int] = {h11.IDLE: 1, h11.SEND_BODY: 2}
"""How many times `read_seconds` a client gets, by what it has yet to send. The gate answers a late body
with 408 after the first time; this ends the connections that the gate does not wait for."""


class LimitedProtocol(H11Protocol):
    """One connection: it is closed if its request is late or its response is not read.

    If there are too many, the one that has been idle longest is closed for a new one, so that nobody locks
    others out by opening connections without sending requests.
    """

    def __init__(self, *, limits: Limits, **given: Any) -> None:
        super().__init__(**given)
        self._limits = limits
        self._idle_since: float = self.loop.time()
        self._awaited: Any = None
        self._reading: TimerHandle | None = None
        self._unread: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept a connection, or refuse it if all others are busy."""
        super().connection_made(cast("Transport", transport))
        if len(self.connections) > self._limits.connections and not self._has_replaced_another():
            words = "too many connections: try again later"
            self._refuse(problem(429, "too_many_connections", words), {"Retry-After": "1"})
        self._watch_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        for timer in (self._reading, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle received data."""
        super().data_received(data)
        self._watch_reading()

    def on_response_complete(self) -> None:
        """Begin to be idle."""
        self._idle_since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn says the same of all)
        """Answer invalid HTTP with a problem; called while its error is handled."""
        self._refuse(_malformed(sys.exception()))

    def pause_writing(self) -> None:
        """Start to measure how long the response stays unread."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._limits.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue after the response was read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    @property
    def is_idle(self) -> bool:
        """Whether no request is in progress; one whose header is incomplete does not count."""
        return self.conn.their_state is h11.IDLE and self.conn.our_state is h11.IDLE

    def _has_replaced_another(self) -> bool:
        ours = cast("set[LimitedProtocol]", self.connections)
        others = [other for other in ours if other is not self and other.is_idle]
        if not others:
            return False
        longest = min(others, key=lambda other: other._idle_since)  # noqa: SLF001  (of the same class)
        self.connections.discard(longest)
        longest.transport.abort()
        return True

    def _watch_reading(self) -> None:
        """Restart the timer when the client gets to the next part of its request."""
        awaited: Any = self.conn.their_state
        if awaited is self._awaited:
            return
        self._awaited = awaited
        if self._reading is not None:
            self._reading.cancel()
        if awaited in _PATIENCE:
            seconds = self._limits.read_seconds * _PATIENCE[awaited]
            self._reading = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        seconds = self._limits.read_seconds
        self._refuse(problem(408, "too_slow", f"the request was not complete within {seconds:g} s"))

    def _refuse(self, found: Problem, headers: Mapping[str, str] | None = None) -> None:
        """Send the problem, unless a response has been started, and close."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(problems.wire(found, headers))
        self.transport.close()


def _malformed(error: BaseException | None) -> Problem:
    if getattr(error, "error_status_hint", 400) == 431:  # noqa: PLR2004  (h11's word for it)
        return problem(431, "headers_too_large", "send fewer and shorter headers")
    if "Host:" in str(error):
        return problem(400, "host_not_allowed", "send exactly one Host header")
    return problem(400, "bad_request", "this is not an HTTP/1.1 request")
