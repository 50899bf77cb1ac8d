"""Attempts are counted in the same words as on the page."""

import pytest

from cli.threads.task_lines import attempt_words
from domain.core.ids import TaskId
from domain.reading.views import TaskView
from domain.tasks.status import TaskStatus
from domain.verification.steps import VerificationAttempt


@pytest.mark.parametrize(
    ("attempts", "most", "status", "words"),
    [
        (0, 3, "running", ""),
        (1, 3, "running", "attempt 1 of 3"),
        (3, 3, "failed", "attempt 3 of 3"),
        (4, 3, "running", "attempt 4 of 4"),
        (2, 0, "failed", "attempt 2"),
        (1, 3, "completed", ""),
        (2, 3, "completed", "attempt 2 of 3"),
    ],
)
def test_an_attempt_is_one_of_so_many(attempts: int, most: int, status: str, words: str) -> None:
    task = TaskView(
        task_id=TaskId("a"),
        title="A",
        status=TaskStatus(status),
        attempts=tuple(VerificationAttempt(attempt=n + 1) for n in range(attempts)),
        max_attempts=most,
    )
    assert attempt_words(task) == words
