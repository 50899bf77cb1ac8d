import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError, RefusedError
from cli.reports import drawing
from domain.reading.report.making import Scope, report_of
from domain.reading.report.tally import Tally
from settings import Settings
from tests.cli.conftest import Api
from tests.domain.report_lab import (
    NOW,
    opened,
    reported,
    started,
    step,
    turn_began,
    turn_over,
    updated,
)

REPORT = reported(
    [
        (0, started("a", "b")),
        (1, updated("a", "running")),
        (60, updated("a", "completed")),
        (61, updated("b", "running")),
        (90, updated("b", "failed", notes="it \x1b[2J[red]broke")),
    ],
    [
        (0, opened("docs", "claude", "a-model-with-a-rather-long-name-of-its-own")),
        (1, turn_began()),
        (2, turn_over(ms=1200)),
        (3, step("the tests of everything that there is in this repository", passed=False)),
    ],
)


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    api.answers["GET /v1/report"] = (200, REPORT.model_dump(mode="json"))
    api.answers["GET /v1/report.html"] = (200, "<!doctype html>\n")
    return lambda *arguments: CliRunner().invoke(app, ["report", *arguments])


def drawn(report, width):
    console = Console(width=width, file=io.StringIO())
    with console.capture() as capture:
        console.print(drawing.page(report))
    return capture.get()


def test_the_report_is_drawn(treadle):
    shown = treadle().stdout
    assert "1 completed, 1 failed" in shown
    assert "1 stalled" in shown
    assert "it �[red]broke" in shown


@pytest.mark.parametrize("width", [80, 100, 200])
def test_numbers_stay_whole_however_narrow_it_is(width):
    lines = drawn(REPORT, width).splitlines()
    assert max(len(line) for line in lines) <= width
    assert any("1 (100 %)" in line for line in lines)
    assert any("1.2 s" in line for line in lines)


def test_nothing_is_wider_than_the_narrowest_terminal():
    assert max(len(line) for line in drawn(REPORT, 50).splitlines()) <= 50


def test_of_nothing_there_is_one_sentence():
    shown = drawn(report_of(Tally(), Scope(until=NOW)), 100)
    assert "Nothing ended in this period" in shown
    assert "median" not in shown


def test_the_question_is_sent_as_it_was_asked(api: Api, treadle):
    result = treadle("--since", "7d", "--project", "shop", "--json")
    assert json.loads(result.stdout)["tasks"]["ended"] == {"completed": 1, "failed": 1}
    assert "GET /v1/report?since=7d&project=shop" in [line for line, _, _ in api.got]


def test_the_page_is_written_to_a_new_file(treadle, tmp_path: Path):
    file = tmp_path / "report.html"
    assert treadle("--html", str(file)).exit_code == 0
    assert file.read_text() == "<!doctype html>\n"


def test_a_file_that_is_there_is_replaced_only_when_told(api: Api, treadle, tmp_path: Path):
    file = tmp_path / "report.html"
    file.write_text("mine")
    refused = treadle("--html", str(file))
    assert isinstance(refused.exception, CommandError)
    assert "already exists" in str(refused.exception)
    assert not [line for line, _, _ in api.got if "report" in line]
    assert file.read_text() == "mine"
    assert treadle("--html", str(file), "--force").exit_code == 0
    assert file.read_text() == "<!doctype html>\n"


def test_a_file_that_cannot_be_written_is_named(treadle, tmp_path: Path):
    refused = treadle("--html", str(tmp_path / "no" / "report.html"))
    assert "No such file or directory" in str(refused.exception)
    refused = treadle("--html", str(tmp_path), "--force")
    assert "Is a directory" in str(refused.exception)
    assert list(tmp_path.glob(".*")) == [] == list(tmp_path.parent.glob(f".{tmp_path.name}*"))


def test_a_refused_question_leaves_no_file(api: Api, treadle, tmp_path: Path):
    problem = {"type": "treadle:bad_since", "title": "Bad since", "detail": "no", "status": 422}
    api.answers["GET /v1/report.html"] = (422, problem)
    result = treadle("--since", "soon", "--html", str(tmp_path / "report.html"))
    assert isinstance(result.exception, RefusedError)
    assert list(tmp_path.glob("*report*")) == []


def test_json_and_a_page_are_not_asked_for_at_once(treadle, tmp_path: Path):
    result = treadle("--json", "--html", str(tmp_path / "x.html"))
    assert "either --json or --html" in str(result.exception)
