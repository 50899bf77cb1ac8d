"""What a fork begins with: the checkpoints of a moment, and the packet of what happened until then."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from domain.agents.agents import Prompt, PromptName, TurnResult
from domain.conversations.events import MessageQueued, TurnEnded
from domain.core.event import Event, JournaledEvent
from domain.core.ids import WORK as WORK_OF_PLAN
from domain.core.workspaces import Snapshot
from domain.plans.handoff import MAX_HANDOFF_BYTES
from domain.reading.forks.packet import packet
from domain.reading.forks.rules import forkable, is_planned
from domain.reading.projection import ThreadFold
from domain.threads.checkpoints import NoCheckpointError, newest, of_stream, of_task
from tests.domain.contest_lab import ContestLab
from tests.domain.running_plan import THREAD, RunningPlan, task

CHAT = f"{THREAD}/session-2"
WORK = f"{THREAD}/a/session-1"


class Past:
    """A thread's journal, written event by event."""

    def __init__(self, *events: Any) -> None:
        self.fold = ThreadFold(THREAD)
        for body in events:
            self.add(THREAD, body)

    def add(self, stream: str, body: Any) -> int:
        position = self.fold.position + 1
        at = datetime(2026, 1, 1, tzinfo=UTC)
        event = Event(id=str(position), stream=stream, at=at, body=body)
        self.fold.add(JournaledEvent(position=position, event=event))
        return position

    def says(self, stream: str, who: str, text: str) -> None:
        prompt = Prompt(name=PromptName.MESSAGE, fields={"text": text})
        self.add(
            stream, MessageQueued(session_id=stream, message_id=text[:9], prompt=prompt, by=who)
        )

    def turn(self, session: str, number: int, text: str, commit: str = "") -> int:
        """End a turn, in the session's stream and, where it is a task's, in the task's as well."""
        turn_id = f"{session}/turn-{number}"
        snapshot = Snapshot(commit=commit, tree=commit, base="base") if commit else None
        ended = TurnResult(turn_id=turn_id, text=text, snapshot=snapshot)
        position = self.add(session, TurnEnded(session_id=session, result=ended))
        if session.count("/") < 2:
            return position
        told = TurnEnded(session_id=session, result=TurnResult(turn_id=turn_id, snapshot=snapshot))
        return self.add(session.rpartition("/")[0], told)


@pytest.fixture
def past() -> Past:
    plan = RunningPlan(task("a"), task("b", "a"))
    past = Past(*plan.events)
    plan.events.clear()
    past.turn(WORK, 1, "I did half of it.", "one")
    past.turn(WORK, 2, "I did it.", "two")
    plan.complete("a")
    for body in plan.events:
        past.add(THREAD, body)
    past.says(CHAT, "ann", "How is it going?\n## Goal")
    past.turn(CHAT, 1, "Well.", "three")
    return past


def test_each_turn_and_each_merge_is_a_checkpoint_once(past: Past):
    known = past.fold.recall.checkpoints
    assert [each.label for each in known] == ["opened", "turn 1", "turn 2", "a merged", "turn 1"]
    assert [(each.run, each.number) for each in of_task(known, "a")] == [(1, 1), (1, 2)]
    assert of_stream(known, WORK) == of_stream(known, f"{THREAD}/a") == of_task(known, "a")
    assert [each.commit for each in of_stream(known, CHAT)] == ["three"]
    assert [each.label for each in forkable(past.fold)] == ["opened", "a merged"]
    assert is_planned(past.fold.thread)


def test_a_turn_that_the_work_took_in_a_session_is_a_checkpoint_once(past: Past):
    chat = past.turn(CHAT, 2, "I write it.", "four")
    work = f"{THREAD}/{WORK_OF_PLAN}"
    snapshot = Snapshot(commit="four", tree="four", base="base")
    ended = TurnResult(turn_id=f"{CHAT}/turn-2", snapshot=snapshot)
    position = past.add(work, TurnEnded(session_id=CHAT, result=ended))
    known = past.fold.recall.checkpoints
    assert chat not in [each.position for each in known]
    assert [(each.position, each.commit) for each in of_task(known, WORK_OF_PLAN)] == [
        (position, "four")
    ]
    assert [each.commit for each in of_stream(known, CHAT)] == ["three", "four"]
    told = packet(past.fold, known[-1])
    assert ("those of its work after" in told, WORK_OF_PLAN in told) == (True, False)


def test_the_newest_one_until_then_counts_and_where_there_is_none_the_first_are_named(past: Past):
    turns = of_task(past.fold.recall.checkpoints, "a")
    first, second = (each.position for each in turns)
    assert newest(turns, second - 1, "a").commit == "one"
    assert newest(turns, second + 99, "a").commit == "two"
    with pytest.raises(NoCheckpointError, match=rf"first ones: {first} \(turn 1\), {second}"):
        newest(turns, first - 1, "task 'a'")


def test_a_packet_tells_what_was_decided_done_and_said_last(past: Past):
    (merged,) = [c for c in forkable(past.fold) if c.label == "a merged"]
    told = packet(past.fold, merged)
    assert "### Goal there" in told
    assert "#### Tasks of the plan" in told
    assert not [line for line in told.splitlines() if re.match("##? ", line)]
    assert "those of its branch after 'a merged'" in told
    assert "- a: completed: A." in told
    assert "- ann: How is it going?\n  ## Goal\n- agent: Well." in told
    assert "I did it." not in told, "what tasks said is theirs"


def test_a_task_is_told_as_completed_once_the_work_that_was_taken_for_it_is_merged():
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    lab.take("a")
    lab.accepted("a")
    assert lab.statuses["app"] == "running", "the other one is not stopped yet"
    past = Past(*lab.events)

    told = packet(past.fold, forkable(past.fold)[-1])

    assert "- app: completed" in told
    assert "- docs: pending" in told


def test_a_packet_of_a_task_has_its_own_words(past: Past):
    told = packet(past.fold, of_task(past.fold.recall.checkpoints, "a")[0])
    assert "agent: I did it." in told
    assert "Well." not in told


def test_a_packet_is_bounded_whatever_was_said(past: Past):
    for number in range(40):
        past.says(CHAT, "ann", f"{number} " + "ä" * 5_000)
    told = packet(past.fold, forkable(past.fold)[0])
    assert len(told.encode()) <= MAX_HANDOFF_BYTES
    assert "Its plan" not in told.partition("## Said last")[0]
