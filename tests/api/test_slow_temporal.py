"""A Temporal that is slow is asked again; one that is away is not."""

import pytest
from temporalio.service import RPCError, RPCStatusCode

from api.core import answering
from api.core.answering import until_taken
from domain.core.errors import NotConfirmedError, UnavailableError


def failing(*codes: RPCStatusCode):
    """Return a call that fails with each of the codes, then answers, and how often it was made."""
    calls: list[int] = []

    async def call() -> str:
        calls.append(1)
        if len(calls) <= len(codes):
            raise RPCError("context deadline exceeded", codes[len(calls) - 1], b"")
        return "opened"

    return call, calls


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(answering, "PAUSE_SECONDS", 0)


@pytest.mark.parametrize("code", sorted(answering.BUSY))
async def test_what_is_busy_is_asked_again(code):
    call, calls = failing(code, code)
    assert (await until_taken(call), len(calls)) == ("opened", 3)


async def test_what_is_away_is_not():
    call, calls = failing(RPCStatusCode.UNAVAILABLE)
    with pytest.raises(UnavailableError, match="does not answer"):
        async with answering.answering("thread-a", 5):
            await until_taken(call)
    assert len(calls) == 1


async def test_what_stays_busy_is_not_confirmed():
    call, _ = failing(*[RPCStatusCode.DEADLINE_EXCEEDED] * 100_000)
    with pytest.raises(NotConfirmedError, match=r"within 0\.2 s"):
        async with answering.answering("thread-a", 0.2):
            await until_taken(call)
