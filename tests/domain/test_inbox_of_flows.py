"""What waits for a person in runs of flows and in the queue."""

from typing import get_args

from domain.agents import SessionRole
from domain.events import EventBody
from domain.events.flows import FlowAsked, FlowFailed, FlowStarted
from domain.events.questions import QuestionAsked
from domain.events.queue import EntryBlocked, EntryEnqueued, EntryRefused, EntryStarting
from domain.events.session import ConversationOpened
from domain.flows.definition import FlowDefinition, FlowPlace
from domain.flows.requests import HumanRequest
from domain.flows.run_views import FlowRunFold
from domain.inbox.flow_runs import flow_items
from domain.inbox.idle import CHATTER, IDLE
from domain.inbox.queue import queue_items
from domain.queue.entry import NewEntry
from domain.queue.views import QueueFold
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


def test_what_is_passed_over_are_events_that_there_are():
    union = get_args(get_args(EventBody)[0])
    kinds_there = {body.model_fields["kind"].default for body in union}
    assert kinds_there >= IDLE > CHATTER


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
