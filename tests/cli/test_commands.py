import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.threads.bodies import TrustBody
from cli.app import app
from cli.core.errors import CommandError
from domain.agents.limits.money import Account, Limited, LimitScope
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.event import Headline
from domain.core.ids import RequestId, StreamId, TaskId, ThreadId
from domain.plans.plan import Plan
from domain.plans.status import PlanStatus
from domain.reading.money import LimitView
from domain.reading.views import OpenRequest, TaskView, ThreadView
from domain.tasks.status import TaskStatus
from domain.threads.progress import Progress
from domain.threads.state import ProposedPlan
from settings import MODEL_VARIABLES, Settings, environment_of
from tests.cli.conftest import Api

PIPED = """
from rich.table import Table
from cli.core.console import output

table = Table(box=None, pad_edge=False, padding=(0, 2), show_header=False)
table.add_row("a", "b")
table.add_row("longer", "longest")
output.print(table)
"""
THREAD = "thread-add-a-flag-1a2b3c"
PLAN = Plan.model_validate(
    {
        "goal": "add a flag",
        "tasks": [
            {"id": "parse", "title": "Parse it"},
            {"id": "show", "title": "Show it [bold]\x1b[31m", "dependsOn": ["parse"]},
        ],
    }
)
REQUEST = ApprovalRequest(
    request_id=RequestId("plan-1"),
    subject=Subject.PLAN,
    title="add a flag",
    content_hash="ab12" * 16,
)
GATE = REQUEST.model_copy(update={"request_id": "parse/gate-1-1", "subject": Subject.GATE})
VIEW = ThreadView(
    thread_id=ThreadId(THREAD),
    goal="add a flag",
    status="waiting",
    repository="/code/app",
    branch="treadle/add-a-flag",
    agent="codex",
    template="default",
    plan_status=PlanStatus.IDLE,
    progress=Progress(done=1, total=2),
    requests=(
        OpenRequest(request=REQUEST, workflow_id=THREAD, signal_lines={"approve": "temporal x"}),
    ),
    plans=(
        ProposedPlan(
            revision=1,
            session_id="s",
            plan=PLAN,
            request=REQUEST,
            warnings=({"kind": "no_gate", "text": "mind"},),
        ),
    ),
    tasks=tuple(
        TaskView(task_id=TaskId(task.id), title=task.title, status=TaskStatus.PENDING)
        for task in PLAN.tasks
    ),
    opened_at=datetime(2026, 11, 21, tzinfo=UTC),
    changed_at=datetime(2026, 11, 21, 0, 1, tzinfo=UTC),
)


@pytest.fixture
def treadle(api: Api, settings: Settings):
    """Run a command against an API that has one thread."""
    del settings
    headline = Headline(
        stream=StreamId(THREAD), kind="thread", status="waiting", title="add a flag"
    )
    api.answers["GET /v1/threads"] = (200, {"threads": [headline.model_dump(mode="json")]})
    shown(api, VIEW)

    def run(*arguments: str):
        return CliRunner().invoke(app, arguments)

    return run


def shown(api: Api, view: ThreadView) -> None:
    api.answers[f"GET /v1/threads/{THREAD}"] = (200, view.model_dump(mode="json"))


def test_the_only_thread_needs_no_name(treadle):
    assert json.loads(treadle("show", "--json").stdout)["thread_id"] == THREAD


def test_a_part_of_an_id_is_enough(treadle):
    assert json.loads(treadle("show", "1a2b3c", "--json").stdout)["thread_id"] == THREAD


def test_a_part_that_fits_nothing_is_reported(treadle):
    with pytest.raises(CommandError, match="no thread matches 'zzz'"):
        raise treadle("show", "zzz").exception


def test_show_prints_the_signal_line_to_paste_when_asked(treadle):
    assert "temporal x" in treadle("show", "--signals").stdout
    assert "temporal x" not in treadle("show").stdout


def test_the_spending_limits_of_a_thread_are_shown_before_they_are_near(treadle, api):
    scopes = (
        LimitScope(kind=Limited.THREAD, name=THREAD),
        LimitScope(kind=Limited.MONTH, name="2026-11"),
    )
    limits = [LimitView.of(Account(each, 5_000_000, 200_000, unknown=1)) for each in scopes]
    told = {"limits": [each.model_dump(mode="json") for each in limits]}
    api.answers[f"GET /v1/money/threads/{THREAD}"] = (200, told)

    shown = " ".join(treadle("show").stdout.split())

    assert "limit: ≥ $0.20 (1 turn unknown) of $5.00 for this thread" in shown
    assert "of $5.00 for all work in 2026-11" in shown


def test_an_approval_is_bound_to_what_is_shown(api: Api, treadle):
    api.answers[f"POST /v1/threads/{THREAD}/approvals"] = (200, {"message": "plan 1: approved"})
    assert treadle("approve", "--acknowledge").exit_code == 0
    said = api.got[-1][2]
    assert said.pop("command_id")
    assert said == {
        "request_id": "plan-1",
        "content_hash": REQUEST.content_hash,
        "choice": "approve",
        "feedback": "",
        "note": "",
        "is_acknowledged": True,
    }


def test_an_approval_of_another_content_is_not_sent(api: Api, treadle):
    assert "not 'ffff'" in str(treadle("approve", "--hash", "ffff").exception)
    assert not [line for line, _, _ in api.got if line.startswith("POST")]


def test_a_rejection_needs_words(treadle):
    assert treadle("reject").exit_code == 2


def test_of_several_requests_one_must_be_named(api: Api, treadle):
    gate = OpenRequest(request=GATE, workflow_id=f"{THREAD}/parse", task_id=TaskId("parse"))
    shown(api, VIEW.model_copy(update={"requests": (*VIEW.requests, gate)}))
    api.answers[f"POST /v1/threads/{THREAD}/approvals"] = (200, {"message": "approved"})
    assert "several requests are waiting" in str(treadle("approve").exception)
    assert treadle("approve", "1a2b3c", "parse").exit_code == 0
    assert api.got[-1][2]["request_id"] == "parse/gate-1-1"


def test_a_plan_shows_its_groups_dependencies_and_warnings(treadle):
    text = treadle("plan", "show").stdout
    assert text.index("parse") < text.index("show")
    assert "(after parse)" in text
    assert "! mind" in text


def test_foreign_text_cannot_draw_on_the_terminal(treadle):
    text = treadle("plan", "show").stdout
    assert "[bold]" in text
    assert "\x1b[31m" not in text


def test_a_job_that_completed_ends_with_zero_and_its_summary(api: Api, treadle):
    shown(api, VIEW.model_copy(update={"status": "completed", "requests": ()}))
    result = treadle("attach", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["branch"] == "treadle/add-a-flag"


def test_a_job_that_failed_ends_with_one_and_says_how_to_go_on(api: Api, treadle):
    failed = VIEW.tasks[0].model_copy(update={"status": TaskStatus.FAILED})
    shown(api, VIEW.model_copy(update={"status": "failed", "requests": (), "tasks": (failed,)}))
    result = treadle("attach")
    assert result.exit_code == 1
    assert f"treadle retry {THREAD} parse" in result.stderr


def test_yes_approves_as_the_person_and_says_so(api: Api, treadle):
    path = f"POST /v1/threads/{THREAD}/approvals"
    done = VIEW.model_copy(update={"status": "completed", "requests": ()})
    api.answers[path] = (200, {"message": "approved"})
    api.then[path] = lambda: shown(api, done)
    result = treadle("attach", "--yes")
    assert result.exit_code == 0
    assert "Approved plan 1 of 'add a flag' (--yes)." in result.stderr
    assert [body["note"] for line, _, body in api.got if line == path] == ["--yes"]


def test_a_wrong_setting_is_named(treadle, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TREADLE_API_PORT", "many")
    result = treadle("ls")
    assert result.exit_code == 2
    assert "TREADLE_API_PORT" in result.stderr


def test_a_plan_shows_every_description_and_the_commands_that_will_run(api: Api, treadle):
    steps = [
        {"type": "command", "label": "unit", "command": "make test && [red]rm[/red] -rf x"},
        {"type": "file_exists", "label": "made", "path": "out/a.txt", "required": False},
    ]
    content = {
        "tasks": [{"id": "a", "title": "A", "description": "Do this.", "verification": steps}]
    }
    proposed = VIEW.plans[0].model_copy(update={"plan": Plan.model_validate(content)})
    shown(api, VIEW.model_copy(update={"plans": (proposed,)}))
    for command in (["plan", "show"], ["show"]):
        text = treadle(*command).stdout
        assert "Do this." in text
        assert "verified by unit: command" in text
        assert "make test && [red]rm[/red] -rf x" in text
        assert "verified (optional) by made: file_exists" in text
        assert "out/a.txt" in text


def test_an_empty_hash_guards_too(api: Api, treadle):
    assert treadle("approve", "--hash", "").exit_code == 2
    assert not [line for line, _, _ in api.got if line.startswith("POST")]


def test_every_advised_retry_works_when_pasted(api: Api, treadle):
    statuses = {"parse": TaskStatus.CANCELLED, "show": TaskStatus.BLOCKED}
    tasks = tuple(
        TaskView(task_id=t.id, title=t.title, status=statuses[t.id], depends_on=t.depends_on)
        for t in PLAN.tasks
    )
    shown(api, VIEW.model_copy(update={"status": "failed", "requests": (), "tasks": tasks}))
    told = treadle("attach").stderr
    assert f"treadle retry {THREAD} parse" in told
    assert f"treadle retry {THREAD} show" not in told


def test_what_changed_in_a_repository_is_shown_and_trusted_as_it_was_shown(
    api: Api, treadle, tmp_path: Path
):
    changes = {"repository": str(tmp_path), "content_hash": "ab12", "changes": []}
    api.answers["GET /v1/repositories/trust"] = (200, changes)
    api.answers["POST /v1/repositories/trust"] = (200, changes)

    assert treadle("trust", str(tmp_path), "--hash", "ab12").exit_code == 0
    said = api.got[-1][2]
    assert TrustBody.model_validate(said).model_dump() == said


def test_a_paused_thread_that_asks_something_says_both(treadle, api):
    shown(api, VIEW.model_copy(update={"plan_status": PlanStatus.PAUSED}))
    assert "waiting for you, paused" in treadle("show").stdout


def test_what_is_piped_has_no_blanks_at_the_ends_of_lines():
    piped = subprocess.run(
        [sys.executable, "-c", PIPED], capture_output=True, text=True, check=True
    )
    assert piped.stdout == "a         b\nlonger    longest\n"


@pytest.mark.parametrize(
    ("repository", "words"),
    [
        ("/missing", "is not a folder"),
        ("/proc", "is not a git repository"),
        (".", "OPENAI_API_KEY"),
    ],
)
def test_no_engine_is_started_for_what_it_would_refuse(settings, repository, words):
    ours = environment_of(settings)
    nobody = {n: v for n, v in ours.items() if n not in MODEL_VARIABLES} | {"TREADLE_API_PORT": "1"}
    command = [sys.executable, "-m", "treadle", "run", "x", "--repo", repository]
    done = subprocess.run(command, env=nobody, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert words in done.stderr
    assert not (settings.data_dir / "engine.lock").exists()
