"""What runs, sessions, merges and removals of a thread are told of the repositories beside its own."""

import pytest

from domain.agents.agents import Prompt
from domain.core.beside import OpenedBeside
from domain.core.ids import TaskId
from domain.tasks.inputs import TaskInput
from domain.tasks.prompts import prompt_of
from domain.threads.inputs import ThreadInput
from tests.domain.running_plan import CHAT, THREAD, RunningPlan, task
from tests.domain.task_lab import working
from workflows import children
from workflows.removals import removal_of_thread

INPUT = ThreadInput(thread_id=THREAD, goal="goal", repository="/repo", agent="fake")
BESIDE = tuple(
    OpenedBeside(name=name, repository=f"/{name}", begins_at="b" * 40, since="0" * 40)
    for name in ("api", "lib")
)


@pytest.fixture
def plan():
    """A plan of two tasks in a thread with two repositories beside; `b` changes one of these."""
    plan = RunningPlan(task("a"), task("b"))
    entry = plan.state.tasks[TaskId("b")]
    named = entry.task.model_copy(update={"repositories": ("lib",)})
    opened = plan.state.opened.model_copy(update={"name": "repo", "beside": BESIDE})
    changed = {**dict(plan.state.tasks.items()), "b": entry.model_copy(update={"task": named})}
    plan.state = plan.state.model_copy(
        update={"opened": opened, "tasks": type(plan.state.tasks).of(changed)}
    )
    return plan


def input_of(plan: RunningPlan, name: str) -> TaskInput:
    return children.task_input(INPUT, plan.state, TaskId(name), 1)


def test_a_run_has_them_beside_and_may_change_those_that_its_task_names(plan):
    spaces = [input_of(plan, name).workspace for name in ("a", "b")]

    assert [space.name for space in spaces] == ["repo", "repo"]
    read = [{one.name: one.is_read for one in space.beside} for space in spaces]
    assert read == [{"api": False, "lib": False}, {"api": True, "lib": False}]


def test_a_run_is_told_of_them_in_its_prompt(plan):
    told = prompt_of(input_of(plan, "b"), working()).fields["beside"]

    assert "../api" in told.splitlines()[0]
    assert "to read" in told.splitlines()[0]
    assert "to read" not in told.splitlines()[1]


def test_a_merge_and_a_removal_are_of_all(plan):
    settled = children.settle_call(INPUT, plan.state, TaskId("a"), 1)
    removed = removal_of_thread(INPUT, plan.state, (), is_forced=True)

    assert [one.name for one in settled.workspace.beside] == ["api", "lib"]
    assert [one.name for one in removed.beside] == ["api", "lib"]
    assert {space.name for space in removed.workspaces} == {"repo"}


def test_chats_and_planners_have_them_beside(plan):
    for session_id in plan.state.sessions:
        session = children.session_input(INPUT, plan.state, session_id, "k", Prompt())
        assert [one.name for one in session.workspace.beside] == ["api", "lib"]
    assert CHAT in plan.state.sessions


def test_a_thread_with_one_repository_tells_nothing_of_others():
    alone = input_of(RunningPlan(task("a")), "a")

    assert not {"name", "beside"} & alone.workspace.model_dump(mode="json").keys()
    assert not {"name", "beside"} & alone.model_dump(mode="json").keys()
    assert "beside" not in prompt_of(alone, working()).fields
