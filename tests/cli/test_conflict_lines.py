import pytest
from typer.testing import CliRunner

from cli.app import app
from domain.core.conflict_lines import ConflictHunk, ConflictingFile, ConflictLines
from domain.tasks.conflicts import Conflict, OpenConflict
from domain.threads.shown import ShownConflict
from settings import Settings
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD

ROOT = f"GET /v1/threads/{THREAD}/conflicts"
FOUND = ShownConflict.of(
    OpenConflict(conflict=Conflict(task_id="greet", run=1, commit="c", tip="a"))
)
LINES = ConflictLines(
    files=(
        ConflictingFile(
            path="app.py",
            hunks=(ConflictHunk(line=4, before=("x",), a=("one\x1b[31m",), b=(), after=("y",)),),
            hunks_left=1,
        ),
        ConflictingFile(path="logo.png", about="a binary file that both changed"),
    ),
    files_left=2,
)


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD, "status": "chat"}]})
    api.answers[ROOT] = (200, [FOUND.model_dump(mode="json")])
    lines = (200, LINES.model_dump(mode="json"))
    api.answers[f"{ROOT}/{FOUND.content_hash}"] = lines
    return lambda *arguments: CliRunner().invoke(app, ["diff", *arguments])


def test_a_conflict_is_drawn_with_both_sides(treadle):
    shown = treadle(THREAD, "greet", "--conflict").stdout.splitlines()

    assert [line.strip() for line in shown] == [
        "app.py",
        "line 4",
        "x",
        "A one�",
        "B (nothing)",
        "y",
        "and 1 more conflict in this file",
        "logo.png: a binary file that both changed",
        "and 2 more files",
    ]


def test_a_task_without_a_conflict_is_said_to_have_none(treadle):
    refused = treadle(THREAD, "other", "--conflict")
    unnamed = treadle(THREAD, "--conflict")

    assert (refused.exit_code, unnamed.exit_code) == (1, 1)
    assert "other has no open conflict" in str(refused.exception)
    assert "the work has no open conflict" in str(unnamed.exception)
