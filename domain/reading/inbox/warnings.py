"""What worries about a turn that runs: what it does itself, and that its provider refuses it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from domain.flows.conversations import FlowConversationView
from domain.reading.inbox import times
from domain.reading.inbox.times import AskingTimes
from domain.reading.views import SessionView

LONG = timedelta(seconds=60)
"""A turn that waits longer for its provider is told of at the first refusal, any other at the second."""

AGAIN = 2


class TurnWarning(NamedTuple):
    """What worries, in words, and since when where that is known."""

    text: str
    since: datetime | None


def turn_warning(
    session: SessionView | FlowConversationView, asked: AskingTimes, stream: str
) -> TurnWarning | None:
    """Return what worries about a session's turn; `stream` tells of its waits for the provider."""
    found = [*_concerns(session, asked), *_refusals(session, asked, stream)]
    if not found:
        return None
    since = min((worry.since for worry in found if worry.since), default=None)
    return TurnWarning("; ".join(worry.text for worry in found), since)


def _concerns(
    session: SessionView | FlowConversationView, asked: AskingTimes
) -> Iterator[TurnWarning]:
    for concern in session.concerns:
        if concern.is_asking:
            since = asked.of(session.session_id, times.concern(concern.bound))
            yield TurnWarning(concern.message, since)


def _refusals(
    session: SessionView | FlowConversationView, asked: AskingTimes, stream: str
) -> Iterator[TurnWarning]:
    until, since = session.waits_until, asked.of(stream, times.REFUSED)
    if until is None or not session.refusals:
        return  # a spending limit has a card of its own
    is_long = since is not None and until - since > LONG
    if is_long or session.refusals >= AGAIN:
        how_often = f"{session.refusals} times" if session.refusals >= AGAIN else "once"
        text = f"its provider refused it {how_often}; it waits until {until:%Y-%m-%d %H:%M:%S} UTC"
        yield TurnWarning(f"{text}: {session.waits_for}", since)
