"""Sending requests and waiting for their answers; `async_sending` is the same for callers that await."""

import time
from collections.abc import Callable, Generator
from typing import TypeVar

import httpx
from httpx_sse import EventSource

from treadle_client.addresses import Address
from treadle_client.answers import Sending, checked, read
from treadle_client.calls import Call
from treadle_client.patience import RETRY_SECONDS, Patience, place_to_ask
from treadle_client.reaching import OfProcess
from treadle_client.streams import TIMEOUT, Cursor, ended

A = TypeVar("A")


class Sender:
    """Sends requests; `Patience` says which are sent again."""

    def __init__(
        self, address: Address, begin: Callable[[], httpx.Client], patience: float
    ) -> None:
        """Make one that sends by what `begin` returns, once in each process."""
        self._sending = Sending(address, patience)
        self._http = OfProcess(begin)

    def close(self) -> None:
        """Close all connections."""
        self._http.get().close()

    def json(self, kind: type[A], call: Call) -> A:
        """Send a request and return its answer as what it is."""
        return read(kind, self._answer(call))

    def text(self, call: Call) -> str:
        """Return a long text."""
        return self._answer(call).text

    def content(self, call: Call) -> bytes:
        """Return bytes, like a picture."""
        return self._answer(call).content

    def nothing(self, call: Call) -> None:
        """Send a request that is answered with nothing."""
        self._answer(call)

    def stream(self, kind: type[A], call: Call) -> Generator[A]:
        """Yield what a stream sends, in order and once each, also over broken connections."""
        cursor, patience = Cursor(call), self._sending.patience()
        while True:
            try:
                with self._http.get().stream(
                    "GET",
                    call.url,
                    params=call.query,
                    headers=self._sending.headers() | cursor.headers,
                    timeout=TIMEOUT,
                ) as answer:
                    pause = self._sending.pause(answer, call, patience)
                    if pause is None:
                        yield from self._items(kind, answer, cursor, patience)
                        raise ended()
            except httpx.TransportError as error:
                pause = patience.pause_after(error, call)
            time.sleep(pause)

    def _items(
        self, kind: type[A], answer: httpx.Response, cursor: Cursor, patience: Patience
    ) -> Generator[A]:
        if answer.is_error:
            answer.read()
        source = EventSource(checked(answer))
        try:
            for sent in source.iter_sse():
                patience.restart()
                item = cursor.read(kind, sent)
                if item is not None:
                    yield item
        finally:
            patience.extend()

    def _answer(self, call: Call) -> httpx.Response:
        """Return the answer in the end: a command that waits for a worker is sent again once that took it."""
        patience = self._sending.patience()
        while where := place_to_ask(answer := self._sent(call, patience)):
            while not patience.is_over and place_to_ask(self._sent(Call("GET", where), patience)):
                time.sleep(RETRY_SECONDS)
            patience.refuse_if_over(call)
        return answer

    def _sent(self, call: Call, patience: Patience) -> httpx.Response:
        while True:
            try:
                answer = self._http.get().request(
                    call.method,
                    call.url,
                    params=call.query or None,
                    json=call.body,
                    headers=self._sending.headers(),
                )
                pause = self._sending.pause(answer, call, patience)
            except httpx.TransportError as error:
                pause = patience.pause_after(error, call)
            else:
                if pause is None:
                    return checked(answer)
            time.sleep(pause)
