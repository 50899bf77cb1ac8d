"""The Python client's wheel alone: what `pip install` gives a person, and what a type checker says of its use."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.deploy.wheels import ROOT, build_wheel

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

USE = """
import asyncio

from treadle_client import AsyncTreadle, connect, connect_async, errors, models, problems, until


def first(title: str) -> str:
    with connect("http://127.0.0.1:9", "token", patience=0) as treadle:
        opened = treadle.threads.open(models.ThreadBody(repository="/app", goal=title))
        view: models.ThreadView = treadle.wait_for(opened.thread_id, until.planned, timeout=1)
        answer: models.Answer = treadle.approve(opened.thread_id, view.requests[0].request)
        for event in treadle.events.follow(opened.thread_id, after=view.position):
            body = event.event.body
            if isinstance(body, models.TaskMerged):
                return body.task_id
            if isinstance(body, models.UnknownBody):
                return body.kind
        return answer.message


async def follow(treadle: AsyncTreadle) -> list[int]:
    return [event.position async for event in treadle.events.stream(after=3)]


async def main() -> None:
    async with connect_async("http://127.0.0.1:9", "token", patience=0) as treadle:
        try:
            await follow(treadle)
        except problems.NotWhatWasShown as error:
            print(error.hint)
        except errors.UnreachableError:
            print("nothing answers")


asyncio.run(main())
"""
WRONG = """
from treadle_client import connect

connect().threads.open("a goal")
connect().threads.get(5)
connect().threads.sing()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"), ROOT / "client")


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    found = folder / "bin" / "python"
    subprocess.run([found, "-m", "pip", "install", "--quiet", wheel], check=True, cwd=folder)
    return found


def test_the_wheel_has_what_is_made_and_nothing_of_the_server(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    parts = ("models", "operations", "problems", "client", "async_client")
    assert {f"treadle_client/{part}.py" for part in parts} | {"treadle_client/py.typed"} <= names
    assert {name.split("/")[0] for name in names} == {
        "treadle_client",
        "treadle_client-0.1.0.dist-info",
    }


def test_it_works_where_nothing_of_treadle_is(python: Path, tmp_path: Path):
    script = tmp_path / "use.py"
    script.write_text(USE)
    done = subprocess.run(
        [python, script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stdout == "nothing answers\n", done.stderr
    listed = subprocess.run(
        [python, "-m", "pip", "list"], capture_output=True, text=True, check=True
    )
    assert not {"temporalio", "fastapi", "treadle"} & set(listed.stdout.lower().split())


@pytest.mark.parametrize(
    ("text", "lines"), [(USE, set()), (WRONG, {"4", "5", "6"})], ids=["right", "wrong"]
)
def test_a_strict_type_checker_knows_right_use_from_wrong(
    python: Path, tmp_path: Path, text: str, lines: set[str]
):
    (tmp_path / "use.py").write_text(text)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    command = [Path(sys.executable).with_name("pyright"), "--pythonpath", python, "use.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert set(re.findall(r"use\.py:(\d+):\d+ - error: ", done.stdout)) == lines, done.stdout


def test_what_is_made_passes_the_strict_type_checker(python: Path):
    config = ROOT / "client" / "pyrightconfig.json"
    done = subprocess.run(
        [Path(sys.executable).with_name("pyright"), "-p", config],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
