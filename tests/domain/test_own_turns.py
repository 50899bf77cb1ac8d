"""Turns that the thread's agent takes without a message: why, and when."""

from datetime import timedelta
from typing import Any

import pytest

from domain.conversations.commands import SendMessage
from domain.conversations.reports import EndSessionTurn
from domain.core.errors import InvalidError
from domain.core.event_text import info
from domain.core.ids import CommandId, TaskId
from domain.core.progress import TaskProgress
from domain.reading.event_text import text_of
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import LearningKind
from domain.tasks.running_commands import AbortAll, Pause, Resume, Retry, SetOwnTurns
from domain.threads.commands import NoteProgress
from domain.threads.running.coordination import briefed
from domain.threads.running.reports import status_text
from domain.threads.running.state import Cause
from tests.domain.own_turns_plan import CHAIN, WAIT, OwnTurnsPlan
from tests.domain.running_plan import task


def test_a_failure_has_the_agent_take_a_turn_though_nobody_spoke_to_it():
    plan = OwnTurnsPlan(*CHAIN)
    plan.fail("a")
    assert plan.is_awaited
    assert not plan.taken
    plan.wait()
    (turn,) = plan.taken
    assert turn.causes[0].words == "Task a failed: it went wrong"
    assert (turn.session_id, turn.number, turn.left) == (plan.state.coordinator, 1, 9)
    queued = next(prompt for prompt in plan.state.prompts if prompt.key == turn.key)
    prompt = briefed(queued, plan.state)
    assert prompt is not None
    assert prompt.name == "own-turn"
    assert "- Task a failed: it went wrong" in prompt.fields["text"]
    assert "b: blocked" in prompt.fields["tasks"]


def test_what_happens_until_the_turn_is_told_in_one():
    plan = OwnTurnsPlan(task("a"), task("b"), task("c"), task("d", "c"))
    plan.fail("a")
    plan.wait(timedelta(seconds=10))
    plan.block("b")
    plan.learn("c", LearningKind.NEXT)
    plan.wait(timedelta(seconds=20))
    assert plan.causes() == [[Cause.FAILURE, Cause.ESCALATION]]  # d read it at its start


def test_what_happens_in_a_turn_is_told_in_the_next_one():
    plan = OwnTurnsPlan(task("a"), task("b"), task("c"), task("d"))
    plan.fail("a")
    plan.wait()
    plan.fail("b")
    plan.fail("c")
    plan.wait(10 * WAIT)
    assert len(plan.taken) == 1
    plan.end_turn()
    assert len(plan.taken) == 1
    plan.wait()
    assert plan.causes() == [[Cause.FAILURE], [Cause.FAILURE, Cause.FAILURE]]


def test_the_end_of_a_wave_and_learnings_for_later_tasks_bring_a_turn():
    plan = OwnTurnsPlan(*CHAIN)
    plan.learn("a", LearningKind.UNEXPECTED)
    plan.wait()
    assert plan.causes() == [[Cause.WAVE, Cause.LEARNINGS]]
    assert plan.taken[0].causes[0].words == "Wave 1 of 3 is over: a completed"


def test_a_learning_that_is_for_nobody_brings_no_turn():
    plan = OwnTurnsPlan(task("a"), task("b"))
    plan.learn("a", LearningKind.NEXT)
    assert not plan.is_awaited


def test_a_concern_and_a_conflict_bring_a_turn():
    plan = OwnTurnsPlan(task("a"), task("b"), supervision_retries=1)
    failing = TaskProgress(task_id=TaskId("a"), run=1, attempts=1, failed_in_a_row=1)
    plan.send(NoteProgress(progress=failing))
    plan.wait()
    assert plan.causes() == [[Cause.CONCERN]]


def test_what_was_resolved_meanwhile_brings_no_turn():
    plan = OwnTurnsPlan(*CHAIN)
    plan.fail("a")
    plan.send(Retry(task_id=TaskId("a"), command_id=CommandId("again")))
    plan.wait()
    assert not plan.taken
    assert not plan.is_awaited
    plan.fail("a")  # what is new waits its whole time
    plan.wait(timedelta(seconds=1))
    assert not plan.taken
    plan.wait()
    assert plan.causes() == [[Cause.FAILURE]]


def test_an_agent_that_is_blocked_again_is_told_of_again():
    plan = OwnTurnsPlan(task("a"))
    for _ in range(2):
        plan.block("a")
        plan.wait()
        plan.end_turn()
        plan.block("a", is_blocked=False)
    assert plan.causes() == [[Cause.ESCALATION]] * 2


@pytest.mark.parametrize("off", [{"own_turns": 0}, {"patches": ()}])
def test_turned_off_there_is_none(off: dict[str, Any]):
    plan = OwnTurnsPlan(*CHAIN, **off)
    plan.fail("a")
    plan.wait()
    assert not plan.taken
    assert not plan.is_awaited


def test_a_person_turns_them_off_and_allows_more():
    plan = OwnTurnsPlan(task("a"), task("b"), own_turns=1)
    plan.fail("a")
    plan.wait()
    plan.end_turn()
    plan.fail("b")
    plan.wait()
    assert len(plan.taken) == 1
    answer = plan.send(SetOwnTurns(turns=2, by="ada"))
    assert answer.message == "the thread's agent may take 2 more turns of its own"
    assert plan.is_awaited
    plan.send(SetOwnTurns(turns=0))
    assert not plan.is_awaited
    assert plan.state.own_turns_left == 0


def test_a_chat_turns_them_off_by_a_verb():
    plan = OwnTurnsPlan(task("a"))
    answer = plan.send(SendMessage(text="/plan turns off", by="ada"))
    assert answer.message == "the thread's agent takes no turns of its own"
    plan.send(SendMessage(text="/plan turns 3", by="ada"))
    assert plan.state.own_turns_left == 3
    assert isinstance(plan.refuses(SendMessage(text="/plan turns 5000")), InvalidError)
    assert isinstance(plan.refuses(SendMessage(text="/plan turns many")), InvalidError)


def test_while_a_person_has_paused_the_plan_there_is_none():
    plan = OwnTurnsPlan(task("a"), task("b"))
    plan.send(Pause(by="ada"))
    plan.fail("a")
    plan.wait()
    assert not plan.taken
    plan.send(Resume(command_id=CommandId("on"), by="ada"))
    plan.wait()
    assert plan.causes() == [[Cause.FAILURE]]


def test_what_people_abort_is_no_cause():
    plan = OwnTurnsPlan(*CHAIN)
    plan.send(AbortAll(by="ada"))
    plan.end("a", TaskEnd.CANCELLED)
    plan.settle("a")
    plan.wait()
    assert not plan.taken
    assert not plan.is_awaited


def test_an_agent_that_can_not_be_started_is_not_asked_for_ever():
    plan = OwnTurnsPlan(*(task(name) for name in "abcd"))
    for name in "abc":
        plan.fail(name)
        plan.wait()
        if plan.state.own_turns.running:
            plan.end_turn(failure="there is no such agent")
    assert len(plan.taken) == 2
    plan.send(SetOwnTurns(turns=5))
    plan.wait()
    assert len(plan.taken) == 3


def test_the_end_of_another_turn_ends_none_of_its_own():
    plan = OwnTurnsPlan(task("a"), task("b"))
    plan.fail("a")
    plan.wait()
    session = plan.taken[0].session_id
    plan.send(EndSessionTurn(session_id=session, turn=1, prompt_key="another"))
    assert plan.state.own_turns.running == plan.taken[0].key


def test_the_status_of_a_plan_says_how_many_were_taken():
    plan = OwnTurnsPlan(task("a"), task("b"), own_turns=3)
    assert "own turn" not in status_text(plan.state)
    plan.fail("a")
    plan.wait()
    assert "1 own turn (2 left)" in status_text(plan.state)
    assert text_of(plan.taken[0]) == info(
        "The thread's agent takes a turn of its own (2 left): Task a failed: it went wrong",
        "Task a failed: it went wrong",
    )
