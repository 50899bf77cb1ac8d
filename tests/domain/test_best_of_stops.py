"""A task that several agents do at once: what is stopped, tried again, added and carried on."""

import pytest
from pydantic import ValidationError

from domain.core.errors import NotShownError, TreadleError, WrongStateError
from domain.core.ids import CommandId
from domain.core.workspaces import Snapshot
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Retry
from domain.tasks.status import TaskStatus
from domain.threads import rules
from domain.threads.contests.commands import AddCandidate, Part, PutTogether
from domain.threads.contests.effects import ComposeWork, EndComposition
from domain.threads.contests.events import CandidatePassed
from domain.threads.inputs import ThreadInput
from domain.threads.planning.commands import Amend
from domain.threads.running.health import current
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.state import ThreadState
from tests.domain.contest_lab import APP, ContestLab
from tests.domain.running_plan import THREAD
from workflows import children

INPUT = ThreadInput(thread_id=THREAD, goal="goal", agent="fake", repository="/repo")


def test_a_task_without_a_candidate_that_passed_has_failed_and_can_be_retried() -> None:
    lab = ContestLab("claude", "codex")
    lab.fail(lab.name("a"))
    assert lab.statuses == {"app": "running", "docs": "pending"}
    lab.fail(lab.name("b"))

    assert lab.statuses == {"app": "failed", "docs": "blocked"}
    assert "no candidate has passed" in lab.state.tasks[APP].notes

    lab.send(Retry(task_id=APP))

    assert lab.statuses == {"app": "running", "docs": "pending"}
    assert {lab.entry(letter).run for letter in "ab"} == {2}


def test_one_candidate_is_retried_alone() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.fail(lab.name("b"))
    assert lab.asked is not None

    lab.send(Retry(task_id=lab.name("b")))

    assert lab.asked is None
    assert lab.entry("b").status is TaskStatus.RUNNING
    lab.passes("b")
    assert lab.asked is not None


def test_what_worried_about_a_candidate_is_over_once_it_has_failed_or_passed() -> None:
    lab = ContestLab("claude", "codex")
    for letter in "ab":
        for attempts in range(1, 4):
            lab.tell(letter, attempts=attempts, tree="t", failed_in_a_row=attempts)
    worried = {notice.task_id for notice in current(lab.state)}
    assert worried == {"app.a", "app.b"}

    lab.fail(lab.name("b"))
    assert {notice.task_id for notice in current(lab.state)} == {"app.a"}
    lab.passes("a")
    assert lab.asked is not None
    assert current(lab.state) == ()


def test_a_loser_is_not_retried_once_another_was_taken() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.fail(lab.name("b"))
    lab.take("a")
    lab.accepted("a")

    assert isinstance(lab.refuses(Retry(task_id=lab.name("b"))), WrongStateError)


def test_aborting_one_candidate_leaves_the_others() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")

    lab.send(Abort(task_id=lab.name("b"), by="ada"))
    lab.stopped("b")

    assert lab.asked is not None
    assert lab.statuses["app"] == "running"


def test_an_amendment_aborts_no_task_whose_taken_work_is_being_merged() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    early = lab.amend({"change": "abort", "task_id": "app"})
    lab.take("a")
    lab.ends_accepted("a")

    amendment = lab.amendment({"change": "abort", "task_id": "app"})
    late = Amend(command_id=CommandId("late"), by="ada", amendment=amendment)
    for refused in (lab.verdict(early), late):
        error = lab.refuses(refused)
        assert isinstance(error, WrongStateError)
        assert "being merged" in error.message
    assert not lab.state.tasks[APP].is_abort_requested

    lab.settle(lab.name("a"))
    lab.stopped("b")
    assert lab.statuses["app"] == "completed"


def test_aborting_the_task_ends_every_candidate() -> None:
    lab = ContestLab(slots=1)
    lab.passes("a")

    lab.send(Abort(task_id=APP, by="ada"))

    assert lab.aborting == {"a", "b"}
    assert lab.candidates["c"] == "cancelled"
    lab.stopped("a")
    lab.stopped("b")
    assert lab.statuses == {"app": "cancelled", "docs": "blocked"}
    assert lab.asked is None


def test_cancelling_the_plan_ends_every_candidate() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")

    lab.send(Cancel(by="ada"))

    assert lab.aborting == {"a", "b"}
    lab.stopped("a")
    lab.stopped("b")
    assert lab.statuses == {"app": "cancelled", "docs": "cancelled"}
    assert lab.asked is None


def test_aborting_all_leaves_candidates_that_are_ready() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")

    lab.send(AbortAll(by="ada"))

    assert lab.aborting == {"b"}
    lab.stopped("b")
    assert lab.asked is not None


def test_another_agent_joins_while_nobody_was_taken() -> None:
    lab = ContestLab("claude", "codex", task={"max_tokens": 100})
    lab.passes("a")
    lab.passes("b")

    lab.send(AddCandidate(task_id=APP, agent="gemini", by="ada", command_id=CommandId("1")))

    assert lab.candidates == {"a": "running", "b": "running", "c": "running"}
    assert lab.entry("c").task.max_tokens == 50
    assert lab.asked is None, "the table waits for it"
    lab.passes("c")
    lab.take("c")
    assert lab.contest.taken == "app.c"
    late = AddCandidate(task_id=APP, agent="kimi", by="ada")
    assert isinstance(lab.refuses(late), WrongStateError)


def test_who_passed_first_is_told_once() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("b")
    lab.works("b")
    lab.passes("b", attempt=2)
    lab.passes("a")

    passed = [e for e in lab.events if isinstance(e, CandidatePassed)]

    assert [(e.candidate, e.is_first) for e in passed] == [("app.b", True), ("app.a", False)]


def test_a_state_with_candidates_is_carried_whole() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    carried = lab.state.without_old_texts()

    after = ThreadState.model_validate_json(carried.model_dump_json())

    assert after == carried
    assert isinstance(after.tasks, PlanTasks)
    assert list(after.tasks) == ["app", "docs"]
    assert len(after.tasks.candidates_of(APP)) == 2


def test_tasks_that_several_agents_do_are_amended_before_they_begin() -> None:
    lab = ContestLab(task={})
    lab.change({"change": "modify", "task_id": "docs", "task": {"bestOf": ["a", "b"]}})

    names = [name for name, _ in lab.state.tasks.candidates_of(lab.state.tasks["docs"].task.id)]

    assert names == ["docs.a", "docs.b"]
    assert lab.candidates == {"a": "running", "b": "running", "c": "running"}


def parts(lab: ContestLab, base: str, other: str, *files: str) -> PutTogether:
    assert lab.contest.request is not None
    request = lab.contest.request
    return PutTogether(
        task_id=APP,
        request_id=request.request_id,
        content_hash=request.content_hash,
        base=lab.name(base),
        parts=(Part(candidate=lab.name(other), files=files),),
        by="ada",
    )


def composing(lab: ContestLab) -> list[ComposeWork]:
    return [e for e in rules.effects(lab.state) if isinstance(e, ComposeWork)]


def test_files_of_one_with_the_rest_of_another_are_verified_again_before_they_can_be_taken() -> (
    None
):
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")

    lab.send(parts(lab, "b", "a", "a.py"))

    assert lab.asked is None
    assert lab.candidates["c"] == "pending", "it starts once its commit is there"
    [effect] = composing(lab)
    base, other = (lab.entry(letter).progress for letter in "ba")
    assert base is not None
    assert other is not None
    assert (effect.composition.commit, effect.composition.parts[0].commit) == (
        base.commit,
        other.commit,
    )
    made = Snapshot(commit="e" * 40, tree="f" * 40, base="0" * 40)
    lab.send(EndComposition(candidate=lab.name("c"), run=1, snapshot=made))
    assert lab.candidates["c"] == "running"
    assert composing(lab) == []
    started = children.task_input(INPUT, lab.state, lab.name("c"), 1)
    assert (started.composed, started.begins_with) == (made, base.commit)
    assert lab.entry("c").task.agent == "codex"
    lab.passes("c")
    lab.take("c")
    lab.accepted("c")
    lab.stopped("a")
    lab.stopped("b")
    assert lab.statuses["app"] == "completed"


def test_work_that_cannot_be_put_together_fails_and_can_be_tried_again() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    lab.send(parts(lab, "b", "a", "none.py"))

    lab.send(EndComposition(candidate=lab.name("c"), run=1, failure="no such file"))

    assert lab.candidates["c"] == "failed"
    assert lab.asked is not None, "the others can still be taken"
    lab.send(Retry(task_id=lab.name("c")))
    assert len(composing(lab)) == 1


@pytest.mark.parametrize("file", ["/etc/passwd", "../x", "a//b", "", "./a", "a/./b", "a/"])
def test_only_files_of_the_repository_are_taken(file: str) -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")

    with pytest.raises((TreadleError, ValidationError)):
        lab.send(parts(lab, "b", "a", file))


def test_parts_are_of_what_was_shown() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    late = parts(lab, "b", "a", "a.py")
    lab.works("a")
    lab.passes("a", attempt=2)

    assert isinstance(lab.refuses(late), NotShownError)
