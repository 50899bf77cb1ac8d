"""Turns that wait for their provider are in the inbox, where that is no short wait."""

from datetime import timedelta

from domain.agents.agents import SessionRole, TurnResult
from domain.conversations.events import TurnDelayed, TurnEnded, TurnResumed, TurnStarted
from domain.threads.events import SessionOpened
from tests.domain.test_inbox import BEGAN, RUNNING, items, minute


def test_a_turn_that_its_provider_refuses_is_reported_at_a_long_wait_or_the_second_time():
    session = "thread-x/session-1"
    opened = SessionOpened(session_id=session, role=SessionRole.CHAT, agent="scripted")
    began = TurnStarted(session_id="s", turn_id="t", number=1, prompt_name="message")

    def refused(number, seconds=0, kind=TurnDelayed):
        until = BEGAN + timedelta(minutes=60, seconds=seconds)
        told = {"provider": "p", "reason": "429", "until": until, "refusals": number}
        return kind(session_id="s", turn_id=turn, **told)

    def reasons(*bodies, life=(RUNNING[0], ("", opened), ("/session-1", began)), of="/session-1"):
        found = items([*life, *((of, body) for body in bodies)])
        return [(i.reason, i.task_id, minute(i)) for i in found if i.kind == "concern"]

    turn = "t"
    long = "its provider refused it once; it waits until 2026-01-01 01:00:00 UTC: 429"
    assert reasons(refused(1)) == [(long, None, 4)]
    assert reasons(refused(1, seconds=-56 * 60)) == [], "it goes on within a minute"
    again = (
        refused(1, seconds=-56 * 60),
        TurnResumed(session_id="s", turn_id="t"),
        refused(2, seconds=-54 * 60),
    )
    said = "its provider refused it 2 times; it waits until 2026-01-01 00:06:00 UTC: 429"
    assert reasons(*again) == [(said, None, 4)]
    assert reasons(*again, TurnResumed(session_id="s", turn_id="t")) == []
    assert reasons(*again, TurnEnded(session_id="s", result=TurnResult(turn_id="t"))) == []

    turn = "t1"
    of_task = {"life": RUNNING, "of": "/a"}
    [(told, task, _)] = reasons(refused(1, kind=TurnDelayed), **of_task)
    assert (told, task) == (long, "a")
    resumed = TurnResumed(session_id="s", turn_id=turn)
    assert reasons(refused(1, kind=TurnDelayed), resumed, **of_task) == []
