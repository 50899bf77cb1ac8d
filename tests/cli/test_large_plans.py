"""A thread of 1,000 tasks on a terminal: what is printed is short, and says how all is seen."""

import io
from datetime import UTC, datetime, timedelta

import pytest
from rich.console import Console

from cli.plans.amendment_drawing import card
from cli.plans.comparison import changes as drawn_changes
from cli.threads import timeline_drawing, watch
from cli.threads.status import progress, summary
from domain.core.ids import StreamId
from domain.plans.changes import changes
from domain.plans.plan import Plan
from domain.reading.timeline.timeline import TaskLine, Timeline
from domain.threads.amending.history import AmendmentView
from tests.cli.conftest import Api
from tests.cli.test_commands import REQUEST, THREAD, VIEW, shown, treadle
from tests.cli.test_status import task

assert treadle  # the fixture

SCREEN = 80, 24
TASKS = [
    {
        "id": f"module-{n}",
        "title": f"Build module {n}\nwith a title that is much wider than any terminal of 80 columns",
        "description": "Build it.\nTest it.",
        "depends_on": [f"module-{n - 10}"] if n >= 10 else [],
        "verification": [{"type": "command", "command": "pytest" if n else "make check"}],
    }
    for n in range(1000)
]
PLAN = Plan.model_validate({"goal": "all modules", "approach": "one by one", "tasks": TASKS})
WAITING = VIEW.model_copy(
    update={
        "plans": (VIEW.plans[0].model_copy(update={"plan": PLAN}),),
        "tasks": tuple(task(each.id, "pending") for each in PLAN.tasks),
    }
)
RUNNING = VIEW.model_copy(
    update={
        "plans": (),
        "requests": (),
        "tasks": (
            *(task(f"done-{n}", "completed") for n in range(400)),
            *(task(f"next-{n}", "pending") for n in range(400)),
            *(task(f"run-{n}", "running", doing="edits files") for n in range(100)),
            *(task(f"bad-{n}", "failed", notes="the tests fail") for n in range(100)),
        ),
    }
)


def _drawn(drawing: object, width: int = SCREEN[0]) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width).print(drawing)
    return file.getvalue().splitlines()


def test_a_waiting_plan_is_shown_as_a_digest(api: Api, treadle):
    shown(api, WAITING)
    text = treadle("plan", "show").stdout
    assert len(text.splitlines()) <= SCREEN[1] + 6
    assert "1,000 tasks in groups 100 (10, 10," in text
    assert "999 × command: pytest" in text
    assert "1 × command: make check" in text
    assert f"… and 990 more: treadle plan show {THREAD} --revision 1 --all" in text
    assert "! mind" in text


def test_all_of_a_plan_is_shown_when_asked(api: Api, treadle):
    shown(api, WAITING)
    for arguments in (("plan", "show", "--all"), ("show", "--all")):
        text = treadle(*arguments).stdout
        assert text.count("Test it.") == 1000
        assert "--all" not in text


def test_a_thread_with_a_waiting_plan_is_shown_in_few_lines(api: Api, treadle):
    shown(api, WAITING)
    text = treadle("show").stdout
    assert len(text.splitlines()) < 120
    assert f"treadle approve {THREAD}" in text or "treadle approve" in text
    assert f"treadle show {THREAD} --all" in text


def test_what_needs_attention_comes_first():
    lines = _drawn(progress(RUNNING))
    assert len(lines) < 130
    assert any("400 completed, 400 pending, 100 running, 100 failed" in line for line in lines)
    first = next(number for number, line in enumerate(lines) if "bad-0" in line)
    assert not any("next-" in line for line in lines[:first])


def test_an_amendment_of_many_tasks_is_a_card_with_the_first_of_them():
    lines = [f"+ {each.id}: {each.title}" for each in PLAN.tasks[:90]]
    amendment = AmendmentView.model_validate(
        {
            "amendment_id": "amendment-1",
            "amendment": {
                "why": "w",
                "base_version": 1,
                "changes": [{"change": "remove", "task_id": "a"}],
            },
            "lines": ["adds 90 tasks: w", *lines],
            "tasks": [each.model_dump(mode="json") for each in PLAN.tasks[:90]],
            "request": REQUEST.model_dump(mode="json"),
            "at": "2026-11-21T00:00:00Z",
        }
    )
    drawn = "\n".join(_drawn(card(amendment, all_by="treadle show x --all"), 200))
    assert drawn.count("Test it.") == 3
    assert "… and 87 more tasks: treadle show x --all" in drawn
    assert all(f"+ {each.id}:" in drawn for each in PLAN.tasks[:90])


def test_of_tasks_that_wait_a_few_are_listed():
    lines = _drawn(progress(WAITING.model_copy(update={"requests": ()})))
    assert len([line for line in lines if "Do module-" in line]) == 10
    assert len(lines) <= SCREEN[1]


def test_a_watched_thread_fits_its_screen(monkeypatch: pytest.MonkeyPatch):
    screen = Console(file=io.StringIO(), width=SCREEN[0], height=SCREEN[1])
    monkeypatch.setattr(watch, "messages", screen)
    lines = _drawn(progress(RUNNING, watch.room()))
    assert len(lines) <= SCREEN[1]
    assert any("bad-0 failed: the tests fail" in line for line in lines)


def test_the_end_of_a_thread_is_told_in_few_lines():
    lines = _drawn(summary(RUNNING))
    assert len(lines) < 130
    assert any(f"treadle show {THREAD} --all" in line for line in lines)


def test_changes_of_all_tasks_are_counted():
    other = PLAN.model_copy(
        update={"tasks": tuple(t.model_copy(update={"mode": "research"}) for t in PLAN.tasks[:900])}
    )
    found = changes(PLAN, other)
    lines = _drawn(drawn_changes(1, 2, found, all_by="treadle plan diff 1 2 --all"), 200)
    assert len(lines) < 90
    assert any("~ 900" in line and "- 100" in line for line in lines)
    assert lines[-1].endswith("more: treadle plan diff 1 2 --all") or "reordered" in lines[-1]
    assert len(_drawn(drawn_changes(1, 2, found), 200)) > 1000


def test_a_timeline_of_many_tasks_shows_those_that_started_last():
    began = datetime(2026, 11, 21, tzinfo=UTC)
    tasks = tuple(
        TaskLine.model_validate(
            {
                "task_id": f"t{n}",
                "title": f"T{n}",
                "spans": [
                    {
                        "status": "running",
                        "began_at": began + timedelta(seconds=n),
                        "position": n + 1,
                    }
                ],
            }
        )
        for n in range(1000)
    )
    timeline = Timeline(
        thread_id=StreamId(THREAD),
        position=1,
        began_at=began,
        ended_at=began + timedelta(hours=1),
        tasks=tasks,
    )
    lines = _drawn(timeline_drawing.lines(timeline, began, 80, "treadle timeline --all"))
    assert len(lines) < 40
    assert any(line.startswith("t999") for line in lines)
    assert any("… and 970 more: treadle timeline --all" in line for line in lines)


def test_the_newest_events_are_printed(api: Api, treadle):
    def event(position: int) -> dict[str, object]:
        return {
            "position": position,
            "event": {"stream": THREAD, "at": "2026-11-21T00:00:00Z", "body": {"kind": "x"}},
            "text": {"summary": f"event {position}"},
        }

    path = f"GET /v1/threads/{THREAD}/events"
    api.answers[path] = (200, {"events": [event(998), event(999)]})
    asked = 0

    def nothing_more() -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            api.answers[path] = (200, {"events": []})

    api.then[path] = nothing_more
    told = treadle("logs", "--tail", "2")
    assert "event 999" in told.stdout
    requests = [what for what, _, _ in api.got if what.startswith(path)]
    assert "limit=2" in requests[0]
    assert "after=997" in requests[1]


def test_a_tail_has_no_beginning(treadle):
    assert treadle("logs", "--tail", "2", "--after", "3").exit_code == 2
