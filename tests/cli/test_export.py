import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import RefusedError
from domain.core.event import Headline
from settings import Settings
from tests.cli.conftest import Api

THREAD = "thread-a-flag-1a2b3c"
EXPORT = f"GET /v1/threads/{THREAD}/export"


@pytest.fixture
def treadle(api: Api, settings: Settings):
    del settings
    line = Headline(stream=THREAD, kind="thread").model_dump(mode="json")
    api.answers["GET /v1/threads"] = (200, {"threads": [line]})
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_a_thread_is_written_to_a_file_that_appears_whole(api: Api, treadle, tmp_path: Path):
    api.answers[EXPORT] = (200, "# `x`\n")
    file = tmp_path / "out.md"
    result = treadle("export", THREAD, "-o", str(file))
    assert result.exit_code == 0
    assert file.read_text() == "# `x`\n"
    assert f"GET /v1/threads/{THREAD}/export?format=md" in [line for line, _, _ in api.got]


def test_a_refused_export_leaves_no_file(treadle, tmp_path: Path):
    result = treadle("export", THREAD, "-o", str(tmp_path / "out.md"))
    assert isinstance(result.exception, RefusedError)
    assert list(tmp_path.glob("*out.md*")) == []


def test_json_on_a_terminal_steers_nothing_and_means_the_same(api: Api, treadle):
    api.answers[EXPORT] = (200, '{"a": "\u202ex"}')
    shown = treadle("export", THREAD, "--format", "json").stdout
    assert "\u202e" not in shown
    assert json.loads(shown) == {"a": "\u202ex"}
