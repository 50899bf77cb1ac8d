"""Trial merges of all that waits: only of work that changes what others changed meanwhile."""

import pytest

from domain.core.ids import TaskId
from domain.core.progress import MAX_FILES, TaskProgress
from domain.threads import rules
from domain.threads.commands import NoteProgress
from domain.threads.merging.collisions import untried_works
from domain.threads.merging.effects import NoteCollisions, TryAllMerges
from domain.threads.patches import ALL
from tests.domain.running_plan import RunningPlan, task


def plan() -> RunningPlan:
    return RunningPlan(task("a"), task("b"), task("c", "a"), patches=ALL)


def change(plan: RunningPlan, name: str, *files: str, commit: str = "") -> None:
    """Have the running agent of a task commit files."""
    progress = TaskProgress(task_id=TaskId(name), run=1, commit=(commit or name) * 40, files=files)
    plan.send(NoteProgress(progress=progress))


def untried(plan: RunningPlan) -> list[str]:
    """Return what is to be tried, by the rules and by the effect that they require."""
    works = [work.name for work in untried_works(plan.state)]
    assert any(isinstance(e, TryAllMerges) for e in rules.effects(plan.state)) == bool(works)
    return works


def test_work_on_other_files_is_not_tried():
    running = plan()
    change(running, "a", "x.py", "y.py")
    change(running, "b", "z.py")
    assert untried(running) == []


def test_work_on_the_same_file_is_tried_together_once_for_each_commit():
    running = plan()
    change(running, "a", "x.py", "y.py")
    change(running, "b", "y.py")
    assert untried(running) == ["a", "b"]
    for name in "ab":
        running.send(NoteCollisions(task_id=TaskId(name), commit=name * 40))
    assert untried(running) == []
    change(running, "b", "y.py", commit="d")
    assert untried(running) == ["b"]


@pytest.mark.parametrize(("file", "tried"), [("x.py", ["b"]), ("z.py", [])])
def test_work_is_tried_with_what_was_merged_since_it_began(file: str, tried: list[str]):
    running = plan()
    change(running, "a", "x.py")
    running.end("a")
    running.settle("a")
    change(running, "b", file)
    assert untried(running) == tried


def test_work_is_built_on_what_it_needs_and_is_not_tried_with_that():
    running = plan()
    change(running, "a", "x.py")
    running.end("a")
    running.settle("a")
    change(running, "c", "x.py")
    assert untried(running) == []


def test_work_whose_files_are_not_all_known_is_tried():
    running = plan()
    change(running, "a", *(f"{number}.py" for number in range(MAX_FILES)))
    assert untried(running) == ["a"]
