"""What the editor is told of events: always updates of the protocol, whatever an agent sent."""

from datetime import UTC, datetime
from typing import Any

import acp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.acp.names import fresh_session, is_fresh, is_of_thread, is_own_session, thread_ending
from cli.acp.slash import decides, own_command
from cli.acp.updates import Teller, passed_on
from domain.agents.agents import Prompt
from domain.agents.limits.money import CROWDED, OVER_LIMIT
from domain.conversations.events import AgentUpdate, MessageQueued, TurnDelayed, TurnEnded
from domain.core.event import Event
from domain.core.ids import thread_id
from domain.plans.status import PlanStatus
from domain.threads.events import PlanCompleted, PlanRequested
from tests.hypothesis_profiles import effort

THREAD = "thread-a-1a2b3c"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KINDS = st.sampled_from(
    [
        "agent_message_chunk",
        "agent_thought_chunk",
        "tool_call",
        "tool_call_update",
        "usage_update",
        "plan",
        "notice",
    ]
)
FIELDS = st.sampled_from(
    [
        "toolCallId",
        "title",
        "content",
        "status",
        "kind",
        "locations",
        "rawInput",
        "used",
        "size",
        "_meta",
    ]
)


def event(body: Any, stream: str = f"{THREAD}/session-1") -> Event:
    return Event(id="e", stream=stream, at=datetime(2026, 11, 30, tzinfo=UTC), body=body)


@effort(200)
@given(KINDS, st.dictionaries(FIELDS, JSON, max_size=6))
def test_whatever_an_agent_sent_the_editor_gets_an_update_of_the_protocol_or_none(
    kind: str, fields: dict[str, Any]
):
    told = passed_on({"sessionUpdate": kind, **fields}, "turn-1")
    if told is not None:
        sent = acp.schema.SessionNotification(session_id="s", update=told)
        acp.schema.SessionNotification.model_validate_json(sent.model_dump_json(by_alias=True))


def test_tool_calls_of_different_turns_are_different_calls():
    call = {"sessionUpdate": "tool_call", "toolCallId": "1", "title": "Read"}
    ids = {passed_on(call, turn).tool_call_id for turn in ("turn-1", "turn-2")}
    assert len(ids) == 2


def test_a_terminal_of_treadle_is_named_as_the_editor_has_none():
    content = [
        {"type": "terminal", "terminalId": "t"},
        {"type": "diff", "path": "/a", "newText": "b"},
    ]
    told = passed_on(
        {"sessionUpdate": "tool_call_update", "toolCallId": "1", "content": content}, "turn-1"
    )
    assert told is not None
    assert [each.type for each in told.content] == ["content", "diff"]


def queued(message: str, text: str, by: str = "ann") -> MessageQueued:
    return MessageQueued(
        session_id=f"{THREAD}/session-1",
        message_id=f"{THREAD}/session-1/{message}",
        prompt=Prompt(fields={"text": text}, by=by),
    )


def test_words_of_others_are_told_and_ones_own_are_not():
    teller = Teller(THREAD)
    teller.mine.add("abc")
    told = [
        update.content.text
        for body in (
            queued("abc", "mine"),
            queued("def", "theirs"),
            queued("x", "Treadle's", by=""),
        )
        for update in teller.tell(event(body))
    ]
    assert told == ["theirs"]


def test_what_a_tasks_agent_says_is_not_the_conversation():
    teller = Teller(THREAD)
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hi"}}
    body = AgentUpdate(turn_id="t", update=chunk)
    assert [*teller.tell(event(body, f"{THREAD}/left/session-1"))] == []
    assert len([*teller.tell(event(body))]) == 1


def test_a_failed_turn_says_why():
    result = {"turn_id": "t", "failure": "the agent could not be started"}
    body = TurnEnded(session_id=f"{THREAD}/session-1", result=result)
    (told,) = Teller(THREAD).tell(event(body))
    assert "could not be started" in told.content.text


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("anthropic", "anthropic refused: full. The turn continues at 2026-11-30 00:00 UTC."),
        (OVER_LIMIT, "Waiting for a spending limit: full. The turn continues once there is room."),
        (
            CROWDED,
            "Waiting for room under a spending limit: full. The turn continues once there is room.",
        ),
    ],
)
def test_no_provider_is_said_to_refuse_what_waits_for_money(provider, words):
    until = datetime(2026, 11, 30, tzinfo=UTC)
    body = TurnDelayed(
        session_id="s", turn_id="t", provider=provider, reason="full", until=until, refusals=1
    )
    (told,) = Teller(THREAD).tell(event(body))
    assert told.content.text == f"{words}\n"


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ("completed: 1 of 1 task merged into b", "Plan completed: 1 of 1 task merged into b"),
        ("by hand", "Plan completed: by hand"),
    ],
)
def test_the_end_of_a_plan_is_said_once(summary: str, words: str):
    body = PlanCompleted(plan_id="p", final_status=PlanStatus.COMPLETED, summary=summary)
    (told,) = Teller(THREAD).tell(event(body, THREAD))
    assert told.content.text.strip() == words


def test_a_goal_that_was_typed_in_the_editor_is_not_said_again():
    body = PlanRequested(goal="Add a flag", session_id=f"{THREAD}/session-1")
    teller = Teller(THREAD)
    (told,) = teller.tell(event(body, THREAD))
    assert told.content.text == "/plan Add a flag"
    teller.mine.add("Add a flag")
    assert not list(teller.tell(event(body, THREAD)))


def test_a_session_names_the_thread_that_it_opens():
    import hashlib

    session = fresh_session()
    made = thread_id("Some goal", hashlib.sha256(session.encode()).hexdigest()[:6])
    assert is_fresh(session)
    assert not is_of_thread(session)
    assert is_of_thread(made)
    assert made.endswith(thread_ending(session))


@pytest.mark.parametrize(
    "stream", [THREAD, f"{THREAD}/session-x/session-1", f"{THREAD}/a/session-1"]
)
def test_sessions_of_tasks_are_not_the_threads_own(stream: str):
    assert not is_own_session(stream, THREAD)


@effort(100)
@given(
    st.sampled_from(["auto on", "auto  off", "decide a b", "turns 3", "turns off"]),
    st.text(" \n\t", max_size=3),
)
def test_words_that_decide_are_known_whatever_is_around_them(words: str, blank: str):
    assert decides(f"{blank}/plan {words}{blank}")


@pytest.mark.parametrize(
    "words", ["/plan auto the tests", "/plan add a flag", "/plan status", "plan auto on", "hello"]
)
def test_other_words_decide_nothing(words: str):
    assert not decides(words)


def test_only_treadles_own_commands_are_carried_out_here():
    assert own_command("/status") == ("status", [])
    assert own_command("/diff left") == ("diff", ["left"])
    assert own_command("/plan goal") is None
    assert own_command("/compact") is None
    assert own_command("see /status") is None
