"""Retries that go on from a checkpoint: which run has it, what its agent is told, what is refused."""

import pytest

from domain.core.errors import InvalidError, WrongStateError
from domain.tasks.running_commands import Retry
from domain.threads.running.briefs import brief
from tests.domain.running_plan import RunningPlan, task

COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture
def plan() -> RunningPlan:
    plan = RunningPlan(task("a"), task("b", "a"))
    plan.fail("a")
    plan.events.clear()
    return plan


def test_the_checkpoint_is_that_of_the_next_run_alone(plan: RunningPlan):
    answer = plan.send(Retry(task_id="a", commit=COMMIT, position=7, by="ann"))
    entry = plan.state.tasks["a"]

    kinds = [event.kind for event in plan.events]
    assert kinds == ["checkpoint_chosen", *["task_updated"] * 3, "task_watched"]
    assert answer.message == "retrying a from checkpoint 0123456789ab"
    assert (entry.run, entry.beginning_of(2).commit, entry.beginning_of(1)) == (2, COMMIT, None)
    assert "checkpoint 0123456789ab" in brief(plan.state, "a", 2).context
    assert brief(plan.state, "a", 1).context == ""

    plan.fail("a")
    plan.send(Retry(task_id="a"))
    assert plan.state.tasks["a"].beginning_of(3) is None


def test_a_plain_retry_tells_of_no_checkpoint(plan: RunningPlan):
    plan.send(Retry(task_id="a"))
    assert {event.kind for event in plan.events} == {"task_updated", "task_watched"}


@pytest.mark.parametrize("commit", ["main", COMMIT[:12], COMMIT.upper(), f"{COMMIT}\n", "-" * 40])
def test_only_a_whole_hash_is_a_checkpoint(plan: RunningPlan, commit: str):
    assert isinstance(plan.refuses(Retry(task_id="a", commit=commit)), InvalidError)


def test_a_node_that_is_a_thread_is_forked_instead():
    plan = RunningPlan(task("a", runs_as="thread"))
    plan.fail("a")
    refused = plan.refuses(Retry(task_id="a", commit=COMMIT))
    assert isinstance(refused, WrongStateError)
    assert "fork that one" in refused.message


def test_the_code_of_a_retry_binds_its_checkpoint():
    assert Retry(task_id="a").content == "a"
    assert Retry(task_id="a", commit=COMMIT).content == f"a@{COMMIT}"
