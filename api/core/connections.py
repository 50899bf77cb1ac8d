"""Connections that may not be held open for nothing: uvicorn has no limit on that."""

import sys
from asyncio import BaseTransport, TimerHandle, Transport
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from api.core import problems
from api.core.problems import Problem, problem
from api.core.rates import Limits

_PATIENCE: dict[object, int] = {h11.IDLE: 1, h11.SEND_BODY: 2}
"""By what the client has yet to send: how often `read_seconds` it gets. A body is answered 408 by
the gate after the first time; this ends those that the gate never waited for."""


class LimitedProtocol(H11Protocol):
    """One connection: it ends when its request does not come or its answer is not taken.

    When there are too many, the oldest that has no request under way gives way to a new one, so
    that nobody locks the others out by opening connections and saying nothing.
    """

    def __init__(self, *, limits: Limits, **given: Any) -> None:
        super().__init__(**given)
        self._limits = limits
        self._since: float = self.loop.time()
        self._awaited: Any = None
        self._reading: TimerHandle | None = None
        self._unread: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Take a connection, or refuse it where all others are at work."""
        super().connection_made(cast("Transport", transport))
        if len(self.connections) > self._limits.connections and not self._has_replaced_another():
            self._refuse(problem(503, "too_many_connections", "all connections are in use"))
        self._watch_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        for timer in (self._reading, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        super().data_received(data)
        self._watch_reading()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn says the same of all)
        """Answer what is no HTTP as a problem, in the middle of the error's handling."""
        self._refuse(_malformed(sys.exception()))

    def pause_writing(self) -> None:
        """Begin to count how long the answer stays unread."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._limits.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: it was read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    @property
    def is_idle(self) -> bool:
        """Whether no request of this connection is under way, be it that its header has begun."""
        return self.conn.their_state is h11.IDLE and self.conn.our_state is h11.IDLE

    def _has_replaced_another(self) -> bool:
        ours = cast("set[LimitedProtocol]", self.connections)
        others = [other for other in ours if other is not self and other.is_idle]
        if not others:
            return False
        oldest = min(others, key=lambda other: other._since)  # noqa: SLF001  (of the same class)
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def _watch_reading(self) -> None:
        """Count anew whenever the client comes to the next part of its request."""
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
        self._refuse(problem(408, "too_slow", f"the request did not come within {seconds:g} s"))

    def _refuse(self, found: Problem) -> None:
        """Say why, unless an answer is on its way, and close."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(problems.wire(found))
        self.transport.close()


def _malformed(error: BaseException | None) -> Problem:
    if getattr(error, "error_status_hint", 400) == 431:  # noqa: PLR2004  (h11's word for it)
        return problem(431, "headers_too_large", "send fewer and shorter headers")
    if "Host:" in str(error):
        return problem(400, "host_not_allowed", "send exactly one Host header")
    return problem(400, "bad_request", "this is no HTTP/1.1 request")
