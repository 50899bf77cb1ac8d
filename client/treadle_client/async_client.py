"""The client of one engine or server, for callers that await."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from functools import partial
from types import TracebackType
from typing import Self

import httpx

from treadle_client.addresses import Address, find_address
from treadle_client.approving import approval_of, rejection_of
from treadle_client.async_sending import AsyncSender
from treadle_client.client import PATIENCE_SECONDS
from treadle_client.errors import WaitTimeoutError
from treadle_client.models import Answer, ApprovalRequest, CommentBody, ThreadView
from treadle_client.operations import AsyncResources
from treadle_client.reaching import client_options
from treadle_client.until import Condition


class AsyncTreadle(AsyncResources):
    """What `Treadle` is, for callers that await."""

    def __init__(self, address: Address, *, patience: float = PATIENCE_SECONDS) -> None:
        self._all = AsyncSender(address, partial(_http_of, address), patience)
        super().__init__(self._all)

    async def __aenter__(self) -> Self:
        """Return the client; all connections are closed in the end."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._all.close()

    async def wait_for(
        self,
        thread: str,
        condition: Condition,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  (it is the name that both have)
    ) -> ThreadView:
        """Read a thread at each of its events until a condition of it is true, and return it as it is then.

        Raises:
            WaitTimeoutError: It is not true after so many seconds.
        """
        view = await self.threads.get(thread)
        try:
            async with asyncio.timeout(timeout):
                if condition(view):
                    return view
                async with aclosing(self.events.follow(thread, after=view.position)) as events:
                    async for event in events:
                        if event.position <= view.position:
                            continue  # the view has it
                        view = await self.threads.get(thread)
                        if condition(view):
                            return view
        except TimeoutError as error:
            raise WaitTimeoutError(
                f"thread {thread!r} is {view.status!r} after {timeout:g} s"
            ) from error
        raise AssertionError  # the stream has no end

    async def approve(
        self, thread: str, request: ApprovalRequest, *, is_acknowledged: bool = False
    ) -> Answer:
        """Approve what was shown, with `is_acknowledged` also its warnings.

        Raises:
            ConflictError: It has changed since (`problems.NotWhatWasShown`), or was decided.
        """
        body = approval_of(request, is_acknowledged=is_acknowledged)
        return await self.approvals.approve(thread, body)

    async def reject(
        self,
        thread: str,
        request: ApprovalRequest,
        feedback: str,
        comments: Sequence[CommentBody] = (),
    ) -> Answer:
        """Reject what was shown, and say what is to be changed; fails like `approve`."""
        return await self.approvals.approve(thread, rejection_of(request, feedback, comments))


def _http_of(address: Address) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(uds=str(address.socket)) if address.socket else None
    return httpx.AsyncClient(transport=transport, **client_options(address))


def connect_async(
    url: str = "", token: str = "", *, ca: str = "", patience: float = PATIENCE_SECONDS
) -> AsyncTreadle:
    """Return what `connect` does, for callers that await."""
    return AsyncTreadle(find_address(url, token, ca), patience=patience)
