"""`maxRetries` is how many attempts a task has."""

import pytest

from domain.core.ids import TaskId
from domain.threads.inputs import ThreadInput
from domain.threads.patches import ALL
from tests.domain.running_plan import THREAD, RunningPlan, task
from workflows import children

INPUT = ThreadInput(thread_id=THREAD, goal="goal", agent="fake", repository="/repo")


@pytest.mark.parametrize(
    ("asked", "patches", "retries"),
    [(3, ALL, 2), (1, ALL, 0), (0, ALL, 0), (None, ALL, 2), (3, (), 3), (None, (), 3)],
)
def test_the_first_attempt_is_counted(
    asked: int | None, patches: tuple[str, ...], retries: int
) -> None:
    world = RunningPlan(task("a", max_retries=asked), patches=patches)
    assert children.task_input(INPUT, world.state, TaskId("a"), 1).max_retries == retries
