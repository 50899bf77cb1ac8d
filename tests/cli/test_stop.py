"""`treadle stop`."""

from typing import Any

import pytest

from cli.core.errors import CommandError
from domain.core.ids import SessionId, TaskId
from domain.reading.views import SessionView, TaskView
from domain.tasks.status import TaskStatus
from tests.cli.test_commands import THREAD, VIEW, shown, treadle

assert treadle  # the fixture


def session(name: str, *, is_working: bool) -> SessionView:
    return SessionView(
        session_id=SessionId(f"{THREAD}/{name}"), role="chat", agent="codex", is_working=is_working
    )


def view_of(*numbers: int, tasks: tuple[str, ...] = ()) -> Any:
    found = [session(f"session-{n}", is_working=n in numbers) for n in (1, 2)]
    working = [
        TaskView(
            task_id=TaskId(name),
            title=name,
            status=TaskStatus.RUNNING,
            sessions=(session(f"{name}/session-1", is_working=True),),
        )
        for name in tasks
    ]
    return VIEW.model_copy(update={"sessions": tuple(found), "tasks": tuple(working)})


@pytest.mark.parametrize(
    ("view", "words", "path"),
    [
        (view_of(2), (), "sessions/2"),
        (view_of(tasks=("parse",)), (), "tasks/parse"),
        (view_of(1, 2), ("1",), "sessions/1"),
        (view_of(), ("parse",), "tasks/parse"),
    ],
)
def test_a_turn_is_stopped(api, treadle, view, words, path):
    shown(api, view)
    api.answers[f"POST /v1/threads/{THREAD}/{path}/stop"] = (200, {"message": "stopping"})
    assert "stopping" in treadle("stop", "1a2b3c", *words).stderr


@pytest.mark.parametrize(
    ("view", "problem"),
    [(view_of(), "no turn is running"), (view_of(1, 2, tasks=("parse",)), "one of: 1, 2, parse")],
)
def test_without_a_name_it_must_be_the_only_one(api, treadle, view, problem):
    shown(api, view)
    with pytest.raises(CommandError, match=problem):
        raise treadle("stop", "1a2b3c").exception
