"""`treadle plan-files`: listed, printed inertly, copied without replacing anything."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from domain.reading.event_text import text_of
from domain.threads.plan_files.events import PlanArchived, PlanFileChanged, PlanFilesSet
from domain.threads.plan_files.files import PlanFile

PATH = "GET /v1/threads/thread-a/plan-files"
HEADLINE = {"stream": "thread-a", "kind": "thread", "thread_id": "thread-a"}
KEPT = {"size_bytes": 9, "content_ref": "0" * 64}
LISTED = {
    "thread_id": "thread-a",
    "is_on": False,
    "files": {"task_plan": KEPT, "findings": KEPT},
    "archived": [{"name": "plan-20260116-0217", "files": {"task_plan": KEPT}}],
}


def changed(op, **more):
    kept = {"size_bytes": 9, "content_ref": "0" * 64, **more}
    return PlanFileChanged(which="findings", op=op, session_id="thread-a/session-2", **kept)


@pytest.fixture
def treadle(api, settings):
    del settings
    api.answers["GET /v1/threads"] = (200, {"threads": [HEADLINE]})
    api.answers[PATH] = (200, LISTED)
    api.answers[f"{PATH}/task_plan"] = (200, "# Plan [bold]\x1b[2J\n")
    api.answers[f"{PATH}/findings"] = (200, "# Found\n")
    api.answers[f"{PATH}/archive/plan-20260116-0217/task_plan"] = (200, "# Old\n")
    api.answers["POST /v1/threads/thread-a/plan-files"] = (200, {"message": "on now"})

    def run(*arguments):
        return CliRunner().invoke(app, ("plan-files", "thread-a", *arguments))

    return run


def test_current_and_archived_files_are_listed(treadle):
    shown = treadle()
    lines = [line.split() for line in shown.stdout.splitlines()]

    assert lines == [
        ["current", "task_plan", "9", "bytes"],
        ["current", "findings", "9", "bytes"],
        ["plan-20260116-0217", "task_plan", "9", "bytes"],
    ]
    assert "treadle plan-files thread-a --on" in shown.stderr


def test_a_file_is_printed_and_steers_no_terminal(treadle):
    assert treadle("task_plan").stdout == "# Plan [bold]�\n"
    assert treadle("task_plan", "--archive", "plan-20260116-0217").stdout == "# Old\n"
    assert treadle("TASK_PLAN/..").exit_code == 2


def test_files_are_copied_and_none_is_replaced(treadle, tmp_path):
    folder = tmp_path / "plan"
    assert treadle("--export", str(folder)).exit_code == 0
    assert (folder / "findings.md").read_text() == "# Found\n"
    (folder / "task_plan.md").unlink()

    refused = treadle("--export", str(folder))

    assert isinstance(refused.exception, CommandError)
    assert "already has findings.md" in str(refused.exception)
    assert not (folder / "task_plan.md").exists()
    old = treadle("--export", str(tmp_path / "old"), "--archive", "plan-20260116-0217")
    assert old.exit_code == 0
    assert (tmp_path / "old/task_plan.md").read_text() == "# Old\n"


def test_they_are_turned_on_and_off(treadle, api):
    assert "on now" in treadle("--on").stderr
    assert "on now" in treadle("--off").stderr

    bodies = [body for what, _, body in api.got if what.startswith("POST")]
    assert [body["is_on"] for body in bodies] == [True, False]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (PlanFilesSet(is_on=True), "Plan files turned on"),
        (
            changed("update", section="Goal"),
            "Plan file findings updated by session-2, section 'Goal' (9 bytes)",
        ),
        (changed("write"), "Plan file findings written by session-2 (9 bytes)"),
        (changed("clear", content_ref=""), "Plan file findings removed by session-2"),
        (
            PlanArchived(name="plan-20260116-0217", files={PlanFile.FINDINGS: {}}, session_id="s"),
            "Plan files archived as plan-20260116-0217: findings",
        ),
    ],
)
def test_the_log_says_what_happens_to_them(body, words):
    assert text_of(body).summary == words
