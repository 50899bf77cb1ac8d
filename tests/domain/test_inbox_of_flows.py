"""What waits for a person in runs of flows and in the queue."""

from datetime import UTC, datetime

import domain.reading.event_kinds  # noqa: F401  # pyright: ignore[reportUnusedImport]  (reads events by kind)
from domain.agents.agents import SessionRole, TurnResult
from domain.conversations.events import (
    ConversationOpened,
    TurnConcern,
    TurnDelayed,
    TurnEnded,
    TurnStarted,
)
from domain.conversations.place import FlowPlace
from domain.conversations.questions.events import QuestionAsked
from domain.core.event import EventBody
from domain.flows.definition import FlowDefinition
from domain.flows.events import FlowAsked, FlowConversationOpened, FlowFailed, FlowStarted
from domain.flows.requests import HumanRequest
from domain.queue.entry import NewEntry
from domain.queue.events import EntryBlocked, EntryEnqueued, EntryRefused, EntryStarting
from domain.reading.flow_runs import FlowRunFold
from domain.reading.inbox.flow_runs import flow_items
from domain.reading.inbox.idle import CHATTER, IDLE
from domain.reading.inbox.queue import queue_items
from domain.reading.queue import QueueFold
from tests.domain.test_inbox import QUESTION, items, kinds, minute

FLOW = FlowDefinition(name="release")
ASKED = HumanRequest(
    request_id="r1", question="Publish?", place=FlowPlace(step_index=1, total_steps=2)
)
STARTED = FlowStarted(
    run_id="flow-release-1",
    title="Release",
    definition=FLOW,
    repository="/code/shop",
    base="c",
    branch="treadle/release",
    host="h",
)


def of_run(*life: tuple[str, EventBody]):
    begin = lambda: FlowRunFold("flow-release-1")  # noqa: E731
    return items([("", STARTED), *life], begin, flow_items, "flow-release-1")


def test_a_flow_s_own_question_and_those_of_its_agents_wait():
    opened = ConversationOpened(
        session_id="flow-release-1/session-1", role=SessionRole.CHAT, agent="scripted"
    )
    own = of_run(("", FlowAsked(request=ASKED)))
    assert [(i.kind, i.subject, minute(i)) for i in own] == [("flow_question", "Publish?", 2)]
    of_agent = of_run(("/session-1", opened), ("/session-1", QuestionAsked(question=QUESTION)))
    assert kinds(of_agent) == ["question"]
    assert of_agent[0].workflow_id == "flow-release-1/session-1"
    assert of_agent[0].run_id == "flow-release-1"


def test_a_flow_that_failed_waits_to_be_resumed():
    (failed,) = of_run(("", FlowFailed(step_index=2, reason="exit code 1")))
    assert (failed.kind, failed.reason, minute(failed)) == ("escalation", "exit code 1", 2)


def test_a_conversation_whose_turn_worries_is_told_until_the_turn_ends():
    session = "flow-release-1/session-1"
    slot = {"agent_type": "coder", "identifier": "main"}
    opened = FlowConversationOpened(session_id=session, slot=slot, agent="scripted")
    begun = TurnStarted(session_id="s", turn_id="t", number=1, prompt_name="message")
    circles = TurnConcern(turn_id="t", bound="repeats", message="it goes round in circles")
    shown = TurnConcern(turn_id="t", bound="quiet", message="no output", is_asking=False)
    late = datetime(2030, 1, 1, tzinfo=UTC)
    refused = TurnDelayed(
        session_id="s", turn_id="t", provider="p", reason="429", until=late, refusals=1
    )

    def told(*bodies):
        found = of_run(("", opened), *(("/session-1", body) for body in (begun, *bodies)))
        return [(i.kind, i.subject, i.reason, i.run_id, i.session_id, minute(i)) for i in found]

    (judged_files,) = told(shown, circles)
    assert judged_files == (
        *("concern", "coder/main: a concern about its turn", "it goes round in circles"),
        *("flow-release-1", session, 5),
    )
    assert "waits until 2030-01-01" in told(refused)[0][2]
    assert (
        told(shown)
        == told(circles, TurnEnded(session_id="s", result=TurnResult(turn_id="t")))
        == []
    )


def test_what_is_passed_over_are_events_that_there_are():
    assert set(EventBody.KINDS) >= IDLE > CHATTER


def test_a_queue_s_entry_that_only_a_person_moves_waits():
    entries = [
        NewEntry(entry_id=name, title=f"Do {name}", project="/code/shop", spec_ref="r")
        for name in ("one", "two", "three")
    ]
    life = [
        *(("", EntryEnqueued(entry=entry)) for entry in entries),
        ("", EntryStarting(entry_id="one", attempt=1)),
        ("", EntryRefused(entry_id="one", type="invalid", reason="no such agent")),
        ("", EntryBlocked(entry_id="two", reason="one failed")),
    ]
    found = items(life, QueueFold, queue_items, "queue")
    assert [(i.entry_id, i.reason, minute(i)) for i in found] == [
        ("one", "no such agent", 5),
        ("two", "one failed", 6),
    ]
    assert {i.workflow_id for i in found} == {"queue"}
