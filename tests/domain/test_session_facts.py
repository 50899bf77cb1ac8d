"""What doors show of a session, folded from its own stream."""

from datetime import UTC, datetime

import pytest

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnDelayed, TurnEnded, TurnResumed, TurnStarted
from domain.conversations.sessions.facts import SessionFacts

UNTIL = datetime(2026, 1, 2, tzinfo=UTC)
REFUSED = TurnDelayed(
    session_id="s", turn_id="t", provider="p", reason="too many", until=UNTIL, refusals=1
)


@pytest.mark.parametrize(
    ("then", "is_working"),
    [
        (TurnResumed(session_id="s", turn_id="t"), True),
        (TurnEnded(session_id="s", result=TurnResult(turn_id="t")), False),
    ],
)
def test_a_refused_turn_waits_until_it_goes_on_or_ends(then, is_working):
    started = SessionFacts().after(
        TurnStarted(session_id="s", turn_id="t", number=1, prompt_name="message")
    )
    waits = started.after(REFUSED)
    after = waits.after(then)

    assert (waits.waits_until, waits.waits_for, waits.is_working) == (UNTIL, "too many", True)
    assert waits.shown["waits_until"] == UNTIL
    assert (after.waits_until, after.waits_for, after.is_working) == (None, "", is_working)
