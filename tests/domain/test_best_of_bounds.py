"""A contest among all else that a thread does: aborts by anybody, amendments, removals, and what agents are given."""

from datetime import timedelta

import pytest

from domain.core.errors import (
    InvalidAmendmentError,
    InvalidError,
    NotFoundError,
    WrongStateError,
)
from domain.core.ids import RequestId, TaskId
from domain.core.notices import WorkflowTerminated
from domain.core.progress import ReadyGate, TaskProgress
from domain.core.workspaces import MergeResult
from domain.plans.settings import PlannerSettings
from domain.plans.supervision import ConcernKind
from domain.tasks.agent_commands import AbortByAgent, EnrichTask, TaskFilter
from domain.tasks.running_commands import Abort, Pause, Retry
from domain.threads import rules
from domain.threads.commands import NoteProgress, SettleTask, WakeUp
from domain.threads.contests.commands import MAX_FILES, Part, PutTogether
from domain.threads.contests.effects import EndComposition
from domain.threads.inputs import ThreadInput
from domain.threads.running.digest import attention, page
from domain.threads.running.state import Cause
from tests.domain.contest_lab import APP, ContestLab
from tests.domain.running_plan import CHAT, THREAD
from workflows import children
from workflows.removals import removal_of_thread

INPUT = ThreadInput(thread_id=THREAD, goal="goal", agent="fake", repository="/repo")
WEB = {"id": "web", "title": "t", "bestOf": ["claude", "kimi"]}


def both_passed() -> ContestLab:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    return lab


def composition(lab: ContestLab, base: TaskId, *parts: Part) -> PutTogether:
    request = lab.contest.request
    assert request is not None
    return PutTogether(
        task_id=APP,
        request_id=request.request_id,
        content_hash=request.content_hash,
        base=base,
        parts=parts,
        by="ada",
    )


def part(lab: ContestLab, letter: str, *files: str) -> Part:
    return Part(candidate=lab.name(letter), files=files)


def composed() -> ContestLab:
    """Return a contest whose candidate C is put together, and waits for a slot no more."""
    lab = both_passed()
    lab.send(composition(lab, lab.name("b"), part(lab, "a", "a.py")))
    return lab


# --- whoever aborts the task aborts all who do it


def test_an_amendment_that_aborts_the_task_aborts_every_candidate() -> None:
    lab = ContestLab("claude", "codex", slots=1)
    lab.passes("a")

    lab.change({"change": "abort", "task_id": "app"})

    assert "a" in lab.aborting
    for letter in lab.aborting:
        lab.stopped(letter)
    assert lab.statuses["app"] == "cancelled"
    assert lab.asked is None
    assert lab.running == set()


def test_the_threads_agent_aborts_every_candidate_and_says_why() -> None:
    lab = ContestLab("claude", "codex", settings=PlannerSettings(agent_aborts=True))
    lab.passes("a")

    lab.send(AbortByAgent(session_id=CHAT, task_id=APP, reason="nobody wants it"))

    assert lab.aborting == {"a", "b"}
    assert lab.entry("b").abort_reason == "nobody wants it"
    lab.stopped("a")
    lab.stopped("b")
    assert lab.statuses["app"] == "cancelled"


def test_a_task_whose_taken_work_conflicts_can_be_aborted() -> None:
    lab = both_passed()
    lab.take("a")
    lab.ends_accepted("a")
    name, run = lab.name("a"), lab.entry("a").run
    lab.send(SettleTask(task_id=name, run=run, merge=MergeResult(conflicts=("a.py",))))
    assert name in lab.state.merges.open

    lab.send(Abort(task_id=APP, by="ada"))
    lab.stopped("b")

    assert lab.candidates == {"a": "cancelled", "b": "cancelled"}
    assert lab.statuses["app"] == "cancelled"


def test_a_task_whose_taken_work_is_being_merged_is_not_aborted() -> None:
    lab = both_passed()
    lab.take("a")
    lab.ends_accepted("a")

    assert isinstance(lab.refuses(Abort(task_id=APP, by="ada")), WrongStateError)


# --- what is put together


def test_only_candidates_of_the_task_itself_are_put_together() -> None:
    lab = ContestLab("claude", "codex")
    lab.change({"change": "add", "task": WEB})
    web = TaskId("web.a")
    lab.passes("a")
    lab.passes("b")
    gate = ReadyGate(request_id=RequestId("web.a/gate-1-1"), content_hash="w" * 64, attempt=1)
    told = TaskProgress(task_id=web, run=1, order=1, gate=gate, doing="x", commit="d" * 40)
    lab.send(NoteProgress(progress=told))
    assert lab.state.tasks[web].is_at_gate

    for sent in (
        composition(lab, web, part(lab, "a", "a.py")),
        composition(lab, lab.name("a"), Part(candidate=web, files=("a.py",))),
    ):
        assert isinstance(lab.refuses(sent), WrongStateError)


def test_so_many_files_are_taken_at_once() -> None:
    lab = both_passed()
    names = [f"{n}.py" for n in range(MAX_FILES)]
    more = (part(lab, "a", *names), part(lab, "a", "x.py"))

    assert isinstance(lab.refuses(composition(lab, lab.name("b"), *more)), InvalidError)
    long = part(lab, "a", *(f"{'x' * 900}/{n}.py" for n in range(100)))
    assert isinstance(lab.refuses(composition(lab, lab.name("b"), long)), InvalidError)


def test_a_composition_that_fails_names_candidates_and_no_commits() -> None:
    lab = composed()
    made = lab.contest.compositions[lab.name("c")]
    a, b = made.parts[0].commit[:12], made.commit[:12]
    lab.send(
        EndComposition(
            candidate=lab.name("c"), run=1, failure=f"'x.py' is neither in {a} nor in {b}"
        )
    )
    assert lab.entry("c").notes == "'x.py' is neither in the work of A nor in the work of B"


# --- amendments, removals, terminations


def test_a_task_that_is_amended_forgets_what_was_put_together_for_it() -> None:
    lab = composed()
    lab.send(EndComposition(candidate=lab.name("c"), run=1, failure="no such file"))
    for letter in "ab":
        lab.fail(lab.name(letter))
    assert lab.statuses["app"] == "failed"
    lab.send(Pause(by="ada"))
    lab.send(Retry(task_id=APP))

    lab.change({"change": "modify", "task_id": "app", "task": {"bestOf": ["x", "y", "z"]}})

    assert lab.entry("c").task.agent == "z"
    assert APP not in lab.state.contests
    started = children.task_input(INPUT, lab.state, lab.name("c"), 2)
    assert (started.composed, started.begins_with) == (None, None)


def test_another_amendment_leaves_what_was_put_together() -> None:
    lab = composed()

    lab.change({"change": "modify", "task_id": "docs", "task": {"title": "other"}})

    assert set(lab.contest.compositions) == {"app.c"}


def test_a_removal_is_of_all_candidates_and_of_what_was_only_put_together() -> None:
    lab = composed()

    removed = removal_of_thread(INPUT, lab.state, (), is_forced=True)

    spaces = {space.task_id for space in removed.workspaces}
    assert {"app.a", "app.b", "app.c"} <= spaces


def test_nothing_is_asked_where_the_workflow_was_terminated() -> None:
    lab = both_passed()

    lab.state = rules.evolve(lab.state, WorkflowTerminated(reason="by hand"))

    assert lab.asked is None


# --- what agents are given


def test_what_a_task_is_given_to_know_all_candidates_read() -> None:
    lab = ContestLab("claude", "codex", slots=1)
    lab.change({"change": "add", "task": WEB})
    lab.send(EnrichTask(session_id=CHAT, task_id=TaskId("web"), context="the colour is blue"))

    told = children.task_input(INPUT, lab.state, TaskId("web.b"), 1).brief.context

    assert "the colour is blue" in told


def test_a_judge_is_dismissed_where_nothing_is_left_to_judge() -> None:
    lab = ContestLab(task={"best_of": {"agents": ["claude", "codex"], "judge": "gemini"}})
    lab.passes("a")
    lab.passes("b")
    opinion = lab.contest.opinion
    assert opinion is not None

    lab.send(Abort(task_id=APP, by="ada"))
    lab.stopped("a")
    lab.stopped("b")
    lab.send(Retry(task_id=APP))

    assert lab.state.sessions[opinion.session_id].is_archived


# --- candidates are no tasks of the plan


@pytest.mark.parametrize(
    "change",
    [
        {"change": "remove", "task_id": "app.b"},
        {"change": "modify", "task_id": "app.b", "task": {"title": "other"}},
        {"change": "reorder", "order": ["app.b"]},
    ],
)
def test_an_amendment_changes_no_candidate_alone(change: dict[str, object]) -> None:
    lab = ContestLab("claude", "codex", slots=1)

    with pytest.raises(InvalidAmendmentError, match="one of the agents of 'app'"):
        lab.change(change)


def test_no_list_of_tasks_goes_on_after_a_candidate() -> None:
    lab = ContestLab("claude", "codex")

    with pytest.raises(NotFoundError):
        page(lab.state, TaskFilter.ALL, lab.name("a"))


def waiting(lab: ContestLab) -> tuple[TaskId, ...]:
    found = {group.title: group.tasks for group in attention(lab.state)}
    return found.get("Waiting for a person", ())


def test_a_task_of_which_somebody_is_to_take_one_waits_for_a_person() -> None:
    lab = ContestLab("claude", "codex")
    assert waiting(lab) == ()

    lab.passes("a")
    lab.passes("b")

    assert waiting(lab) == (APP,)


def test_a_candidate_that_waits_to_be_chosen_is_not_called_silent() -> None:
    lab = ContestLab("claude", "codex", settings=PlannerSettings(supervision_quiet_seconds=60))
    lab.passes("a")

    for _ in range(3):
        lab.now += timedelta(minutes=2)
        lab.send(WakeUp())

    silent = {n.task_id for n in lab.state.notices if n.concern is ConcernKind.NO_PROGRESS}
    assert silent == {"app.b"}


def test_the_agent_is_told_of_a_failure_once_no_candidate_is_left() -> None:
    lab = ContestLab("claude", "codex")
    lab.fail(lab.name("a"))
    assert [o for o in lab.state.own_turns.untold if o.cause is Cause.FAILURE] == []

    lab.fail(lab.name("b"))

    told = [o.task_id for o in lab.state.own_turns.untold if o.cause is Cause.FAILURE]
    assert told == [APP]
