"""The command line imports what a command needs, when it runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_group

from cli.core.lazy import Lazy
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD
from treadle.commands import AllCommands

SLOW = {"click", "pydantic_settings", "temporalio", "yaml", "settings", "adapters", "pygments"}
TEXT = {"domain.core", "domain.core.printable", "domain.core.text"}
RUN = """
import json, sys
from treadle.__main__ import main
sys.argv = ["treadle", *sys.argv[1:]]
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
finally:
    found = [name for name, module in sys.modules.items() if module]
    print(json.dumps(sorted({name.split(".")[0] for name in found})), file=sys.stderr)
    print(json.dumps([name for name in sys.modules if name.startswith("domain.")]), file=sys.stderr)
"""


def imported(tmp_path: Path, *arguments: str, **variables: str) -> tuple[set[str], list[str]]:
    """Run a command; returns the packages that it imported, and the modules of the domain."""
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        env={**os.environ, "TREADLE_DATA_DIR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    packages, domain = map(json.loads, ended.stderr.splitlines()[-2:])
    return set(packages), domain


def test_help_imports_no_command_and_no_model(tmp_path: Path):
    packages, domain = imported(tmp_path, "--help")
    assert packages & SLOW <= {"pygments"}
    assert "httpx" not in packages
    assert set(domain) <= TEXT


def test_a_list_of_threads_builds_no_model_of_the_domain(tmp_path: Path, api: Api):
    api.answers["GET /v1/threads"] = (200, {"threads": [], "next": None})
    api.answers["GET /v1/flow-runs"] = (200, {"runs": []})
    port = str(api.server_address[1])
    packages, domain = imported(tmp_path, "threads", TREADLE_API_PORT=port)
    assert not packages & SLOW
    assert set(domain) <= TEXT | {"domain.core.status_words", "domain.core.amounts"}


def test_logs_know_events_whose_commands_were_not_imported(tmp_path: Path, api: Api):
    body = {"kind": "turn_started", "turn_id": "t", "number": 1, "prompt_name": "p"}
    event = {"id": "e", "stream": THREAD, "at": "2026-01-02T03:04:05Z", "body": body}
    page = {"events": [{"position": 1, "event": event}], "after": 1}
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD, "status": "open"}]})
    path = f"GET /v1/threads/{THREAD}/events"
    api.answers[path] = (200, page)
    api.then[path] = lambda: api.answers.update({path: (200, {"events": [], "after": 1})})
    packages, _ = imported(tmp_path, "logs", TREADLE_API_PORT=str(api.server_address[1]))
    assert "rich" in packages


def completed(words: str, **variables: str) -> list[str]:
    """Return what bash gets for the last of some words."""
    ended = subprocess.run(
        [Path(sys.executable).parent / "treadle"],
        env={
            **os.environ,
            "_TREADLE_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr == ""
    return ended.stdout.split()


def test_a_shell_completes_commands_without_importing_them():
    assert completed("treadle arch") == ["archive", "archives"]


def test_a_shell_completes_the_names_of_threads(tmp_path: Path, api: Api):
    title = "Fix $(reboot); the login"
    rows = [
        {"stream": name, "title": title, "status": "open"}
        for name in ("thread-a", "other", "thr$(x)")
    ]
    api.answers["GET /v1/threads"] = (200, {"threads": rows, "next": None})
    port = str(api.server_address[1])
    variables = {"TREADLE_DATA_DIR": str(tmp_path), "TREADLE_API_PORT": port}
    assert completed("treadle show thr", **variables) == ["thread-a"]


def test_a_shell_gets_no_names_while_no_engine_runs(tmp_path: Path, api: Api):
    api.answers["GET /v1/threads"] = (503, {"type": "treadle:unavailable", "detail": "later"})
    port = str(api.server_address[1])
    variables = {"TREADLE_DATA_DIR": str(tmp_path), "TREADLE_API_PORT": port}
    assert completed("treadle show thr", **variables) == []
    api.shutdown()
    api.server_close()
    assert completed("treadle show thr", **variables) == []


@pytest.mark.parametrize(("name", "lazy"), AllCommands.lazy.items())
def test_a_command_is_listed_with_the_first_line_of_its_help(name: str, lazy: Lazy):
    command = lazy.load(name)
    first = (command.help or "").split("\n")[0]
    assert (first, command.hidden) == (lazy.summary, lazy.is_hidden)


def test_every_command_of_a_module_is_listed():
    modules = {lazy.module for lazy in AllCommands.lazy.values()}
    for module in modules:
        app = __import__(module, fromlist=["app"]).app
        if not isinstance(app.info.name, str):
            assert set(get_group(app).commands) <= set(AllCommands.lazy), module
