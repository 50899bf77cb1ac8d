"""The client of one engine or server, for callers that wait."""

import time
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Self

import httpx

from treadle_client.addresses import Address, find_address
from treadle_client.approving import approval_of, rejection_of
from treadle_client.errors import WaitTimeoutError
from treadle_client.models import Answer, ApprovalRequest, CommentBody, ThreadView
from treadle_client.operations import Resources
from treadle_client.reaching import client_options
from treadle_client.sending import Sender
from treadle_client.until import Condition

PATIENCE_SECONDS = 60.0
"""How long an engine may be away: longer than an upgrade of one takes."""

_LOOK_SECONDS = (0.1, 2.0)
"""The first pause between two looks at a thread, and the longest."""


class Treadle(Resources):
    """All operations by what they are about, like `threads.open(…)`, and what is often done with them.

    `patience` is how many seconds the engine may be away, for requests and for streams; `math.inf` is for ever.
    """

    def __init__(self, address: Address, *, patience: float = PATIENCE_SECONDS) -> None:
        self._all = Sender(address, partial(_http_of, address), patience)
        super().__init__(self._all)

    def __enter__(self) -> Self:
        """Return the client; all connections are closed in the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._all.close()

    def wait_for(
        self, thread: str, condition: Condition, *, timeout: float | None = None
    ) -> ThreadView:
        """Look at a thread until a condition of it is true, and return it as it is then; `until` has conditions.

        Raises:
            WaitTimeoutError: It is not true after so many seconds.
        """
        ends = None if timeout is None else time.monotonic() + timeout
        pause, most = _LOOK_SECONDS
        while not condition(view := self.threads.get(thread)):
            if ends is not None and time.monotonic() + pause > ends:
                raise WaitTimeoutError(f"thread {thread!r} is {view.status!r} after {timeout:g} s")
            time.sleep(pause)
            pause = min(pause * 1.5, most)
        return view

    def approve(
        self, thread: str, request: ApprovalRequest, *, is_acknowledged: bool = False
    ) -> Answer:
        """Approve what was shown, with `is_acknowledged` also its warnings.

        Raises:
            ConflictError: It has changed since (`problems.NotWhatWasShown`), or was decided.
        """
        body = approval_of(request, is_acknowledged=is_acknowledged)
        return self.approvals.approve(thread, body)

    def reject(
        self,
        thread: str,
        request: ApprovalRequest,
        feedback: str,
        comments: Sequence[CommentBody] = (),
    ) -> Answer:
        """Reject what was shown, and say what is to be changed; fails like `approve`."""
        return self.approvals.approve(thread, rejection_of(request, feedback, comments))


def _http_of(address: Address) -> httpx.Client:
    transport = httpx.HTTPTransport(uds=str(address.socket)) if address.socket else None
    return httpx.Client(transport=transport, **client_options(address))


def connect(
    url: str = "", token: str = "", *, ca: str = "", patience: float = PATIENCE_SECONDS
) -> Treadle:
    """Return a client of a server, or of this machine's engine, found as the command line finds it.

    Raises:
        AddressError: The address is none to send a token to.
    """
    return Treadle(find_address(url, token, ca), patience=patience)
