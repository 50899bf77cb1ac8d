"""What is journaled of what somebody terminated, and what a thread is after it."""

from datetime import UTC, datetime

import pytest

from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.core.notices import WorkflowTerminated
from domain.flows.rules import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus
from domain.queue.status import ENDS
from domain.reading.event_text import text_of
from domain.reading.terminated import ending_of
from domain.threads.details import thread_details
from domain.threads.rules import THREAD_RULES
from tests.domain.running_plan import RunningPlan, task

NOW = datetime(2026, 11, 26, tzinfo=UTC)
REASON = "its workflow was terminated in Temporal"


@pytest.mark.parametrize(
    ("kind", "status", "event"),
    [
        ("thread", "terminated", "workflow_terminated"),
        ("flow", "terminated", "workflow_terminated"),
        ("task", "cancelled", "task_ended"),
        ("session", "closed", "conversation_closed"),
    ],
)
def test_each_stream_ends_once(kind: str, status: str, event: str):
    line = Headline(stream=StreamId("x"), kind=kind, status="running", waiting_for="you")
    ended = ending_of(line, "run-1", REASON, NOW)
    assert ended is not None
    assert (ended[0].body.kind, ended[0].id) == (event, "x:terminated:run-1")
    assert (ended[1].status, ended[1].waiting_for) == (status, "")
    assert ending_of(ended[1], "run-1", REASON, NOW) is None


def test_the_queue_is_none_that_ends():
    assert ending_of(Headline(stream=StreamId("queue"), kind="queue"), "r", REASON, NOW) is None


def test_a_terminated_thread_asks_nothing_and_has_nothing_under_way():
    world = RunningPlan(task("a"), task("b", "a"))
    state = THREAD_RULES.evolve(world.state, WorkflowTerminated(reason=REASON))
    assert (state.status, state.waiting_for, state.requests) == ("terminated", "", {})
    assert all(entry.is_over for entry in state.tasks.values())
    assert state.status in ENDS
    assert "terminated" in thread_details(state)


def test_a_terminated_run_of_a_flow_asks_nothing():
    state = FLOW_RULES.evolve(FlowState(), WorkflowTerminated(reason=REASON))
    assert (state.status, state.request) == (FlowStatus.TERMINATED, None)


def test_people_read_why():
    text = text_of(WorkflowTerminated(reason=REASON))
    assert text is not None
    assert REASON in text.summary
