"""Each kind of event is described in one place, which every reader shows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approvals import Choice, Decider, Outcome
from domain.core.event import EventBody
from domain.core.event_text import MAX_SUMMARY, Tone
from domain.core.lifecycle.events import ThreadRenamed
from domain.reading.event_text import DESCRIBED, SILENT, serialized_text, text_of
from domain.reading.event_text.registry import describe
from domain.tasks.events import GateDecided, TaskEnded
from domain.threads.events import PlanDecided, TaskUpdated
from tests.domain.test_wire import models

BODIES = sorted(
    (body for body in EventBody.KINDS.values() if body.__module__.startswith("domain.")),
    key=lambda body: body.__name__,
)


def outcome(**fields):
    return Outcome(
        **{"request_id": "r", "choice": Choice.APPROVE, "content_hash": "h", "by": "Ada", **fields}
    )


def test_every_kind_of_event_has_a_text_or_is_silent_and_no_other():
    assert set(BODIES) == set(DESCRIBED) | SILENT
    assert not SILENT.intersection(DESCRIBED)


def test_a_kind_is_described_once():
    with pytest.raises(TypeError, match="described already"):
        describe(ThreadRenamed, lambda event: event.topic)


@given(st.sampled_from(BODIES).flatmap(models))
def test_any_event_gives_a_text_within_bounds_on_one_line(body):
    text = text_of(body)
    if text is not None:
        assert len(text.summary) <= MAX_SUMMARY
        assert len(text.summary.splitlines()) <= 1
    sent = serialized_text(body.kind, body.model_dump_json(), "thread-x")
    assert sent is not None
    json.loads(sent)


def test_a_decision_names_who_made_it_and_keeps_the_feedback():
    text = text_of(PlanDecided(revision=2, outcome=outcome()))
    assert (text.summary, text.tone, text.details) == ("Plan 2 approved by Ada", Tone.SUCCESS, "")
    assert text.milestone == "plan_approved"
    rejected = outcome(choice=Choice.REJECT, feedback="Too big.\nSplit it.")
    text = text_of(GateDecided(outcome=rejected))
    assert text.summary == "Work rejected by Ada: Too big. Split it."
    assert text.details == "Too big.\nSplit it."
    automatic = outcome(decider=Decider.POLICY, by="template")
    assert text_of(GateDecided(outcome=automatic)).summary == "Work approved by policy"


def test_a_task_that_fails_is_an_error_and_a_milestone_of_its_task():
    failed = TaskUpdated(
        plan_id="p", task_id="a", old_status="running", new_status="failed", notes="it\nbroke"
    )
    text = text_of(failed)
    assert text.summary == "Task a failed: it broke"
    assert (text.tone, text.task_id, text.milestone) == (Tone.ERROR, "a", "task_failed")


def test_an_event_that_cannot_be_read_has_no_text_and_a_silent_one_says_so():
    assert serialized_text("from_the_future", "{}", "thread-x") is None
    assert serialized_text("task_ended", '{"kind":"task_ended"}', "thread-x") is None
    assert serialized_text("turn_usage_updated", "{}", "thread-x") == "null"
    ended = TaskEnded(end="accepted")
    assert (
        json.loads(serialized_text("task_ended", ended.model_dump_json(), "thread-x"))["tone"]
        == "success"
    )
