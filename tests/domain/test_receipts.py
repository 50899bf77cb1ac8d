"""What a receipt says of a thread."""

import hashlib

import pytest

from domain.core.event import EventBody
from domain.evidence.errors import NoReceiptError
from domain.threads.publishing.stack_events import StackPlanned
from tests.domain.receipt_lab import (
    COMMIT,
    OTHER_TREE,
    TASK,
    THREAD,
    TREE,
    merge_stepped,
    opened,
    published,
    stated,
    stepped,
    turned,
    whole,
)


def test_it_is_bound_to_the_published_tree_and_names_the_commit():
    statement = stated()

    assert (statement.tree, statement.commit) == (TREE, COMMIT)
    assert statement.predicate.project == "github.com/o/r"


def test_a_stack_has_none_and_leaves_that_of_the_whole_branch_as_it_was():
    stack = StackPlanned(pushed=published(tree=OTHER_TREE).pushed, base="main", layers=())

    with pytest.raises(NoReceiptError, match="a stack has none"):
        stated([*whole()[:-1], (THREAD, stack)])
    assert stated([*whole(), (THREAD, stack)]) == stated()
    assert stated([(THREAD, stack), *whole()]).tree == TREE


def test_it_tells_the_approved_plan_by_its_hash():
    plan = stated().predicate.plan

    assert plan is not None
    assert (plan.revision, plan.content_sha256, plan.approved_by) == (1, "d" * 64, ("ada",))
    assert plan.approved_at == "2026-03-02T12:00:01Z"


def test_it_tells_each_command_with_its_exit_code_duration_and_digest_of_output():
    step = stated().predicate.steps[0]

    assert (step.command, step.exit_code, step.duration_ms) == ("make test", 0, 1200)
    assert step.output_sha256 == hashlib.sha256(b"3 passed").hexdigest()


def test_it_holds_no_output():
    assert "3 passed" not in stated().model_dump_json()


def test_it_tells_all_who_approved_and_what():
    gate = stated().predicate.approvals[-1]

    assert (gate.subject, gate.task, gate.by, gate.decider) == (
        "gate",
        "flag",
        ("ada", "grace"),
        "person",
    )


def test_a_turn_that_two_streams_tell_is_counted_once():
    told: list[tuple[str, EventBody]] = [
        *whole()[:4],
        (f"{TASK}/session-1", turned()),
        (TASK, turned("turn-2")),
        (THREAD, published()),
    ]

    receipt = stated(told).predicate

    assert [(a.agent, a.turns, a.input_tokens) for a in receipt.agents] == [("codex", 2, 20)]
    assert receipt.costs_millionths == {"USD": 500_000}


def test_only_the_last_attempt_of_the_last_run_is_told():
    told: list[tuple[str, EventBody]] = [
        (TASK, opened(run=1)),
        (TASK, stepped(attempt=1, passed=False, exit_code=1)),
        (TASK, opened(run=2)),
        (TASK, stepped(attempt=1, passed=False, exit_code=1)),
        (TASK, stepped(attempt=2)),
        (THREAD, published()),
    ]

    steps = stated(told).predicate.steps

    assert [(s.run, s.attempt, s.is_passed) for s in steps] == [(2, 2, True)]


def test_a_tree_that_no_step_ran_on_is_not_called_verified():
    told: list[tuple[str, EventBody]] = [
        (TASK, opened()),
        (TASK, stepped(tree=OTHER_TREE)),
        (THREAD, published()),
    ]

    assert not stated(told).predicate.is_tree_verified


def test_a_required_step_that_failed_on_the_tree_is_told():
    told: list[tuple[str, EventBody]] = [
        (TASK, opened()),
        (TASK, stepped()),
        (THREAD, merge_stepped(passed=False)),
        (THREAD, published()),
    ]

    assert not stated(told).predicate.is_tree_verified


def test_what_happens_after_the_branch_was_published_changes_nothing():
    later: list[tuple[str, EventBody]] = [*whole(), (TASK, turned("turn-9"))]

    assert stated(later) == stated()


def test_a_thread_that_published_nothing_has_none():
    with pytest.raises(NoReceiptError, match="treadle publish"):
        stated(whole()[:-1])


def test_a_publication_whose_tree_is_unknown_has_none():
    with pytest.raises(NoReceiptError, match=r"publish.*again"):
        stated([(THREAD, published(tree=""))])
