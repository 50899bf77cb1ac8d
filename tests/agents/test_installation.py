"""What tests install for themselves, where two of them ask for it at the same time."""

import contextlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from tests.agents import installation


def test_an_environment_is_made_once_where_two_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / installation.PYPI_LOCK).write_text("")
    both, commands = Barrier(2), list[str]()

    def run(command: list[Any]) -> None:
        commands.append(command[1])
        with contextlib.suppress(BrokenBarrierError):
            both.wait(0.5)  # they meet here where both make it
        if command[1] == "venv":
            command[-1].mkdir()

    monkeypatch.setattr(installation, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(installation, "_run", run)
    with ThreadPoolExecutor(2) as pool:
        asked = [
            pool.submit(installation.environment, tmp_path, Path(sys.executable)) for _ in "ab"
        ]
        (first, second) = (each.result() for each in asked)
    assert first == second
    assert commands == ["venv", "pip"]
