"""Odd numbers and paths at every command: a sentence and an exit code, never a traceback."""

import os
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.models import ArgumentInfo
from typer.testing import CliRunner

from cli.app import COMMANDS, app
from cli.core.console import USAGE
from cli.core.errors import CommandError
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD, treadle

__all__ = ["treadle"]

ODD_NUMBERS = ("-1", "nan", "inf", "1.5", "9" * 40, "-" + "9" * 40, "0x10", "", "٣x")
ODD_FOLDERS = ("loop", "~nobody-here/x", "x" * 4_000)
"""Folders of whole paths that cannot be; whether others are folders says the engine, which has them."""

Run = Callable[..., Any]
Command = tuple[tuple[str, ...], dict[str, Any]]


def commands(group: typer.Typer, names: tuple[str, ...] = ()) -> Iterator[Command]:
    """Yield every command that speaks REST, with the annotations of what it takes."""
    for each in group.registered_commands:
        assert each.callback is not None
        name = each.name or each.callback.__name__.replace("_", "-")
        if each.callback.__module__.startswith("cli."):
            yield (*names, str(name)), typing.get_type_hints(each.callback, include_extras=True)
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        below = (*names, inner.name) if isinstance(inner.name, str) else names
        yield from commands(inner.typer_instance, below)


def all_commands() -> Iterator[Command]:
    """Yield the commands of every module that the command line knows."""
    for module in dict.fromkeys(lazy.module for lazy in COMMANDS.values()):
        group = import_module(module).app
        yield from commands(group, (group.info.name,) if isinstance(group.info.name, str) else ())


def kinds(hint: Any) -> set[Any]:
    """Return the types that an annotation names."""
    inner = typing.get_args(hint)
    return {hint}.union(*map(kinds, inner)) if inner else {hint}


def places(kind: type) -> list[Any]:
    """Return every command that takes a value of a type, with what else it needs."""
    found: list[Any] = []
    for names, hints in all_commands():
        for name, hint in hints.items():
            base = typing.get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
            if kind in kinds(base):
                found.append(pytest.param(names, hints, name, id=f"{' '.join(names)} {name}"))
    return found


def line(names: tuple[str, ...], hints: dict[str, Any], name: str, odd: str) -> list[str]:
    """Return the words of a command with an odd value in one place."""
    words: list[str] = []
    for each, hint in hints.items():
        info = hint.__metadata__[0] if hasattr(hint, "__metadata__") else None
        if each == name and not isinstance(info, ArgumentInfo):
            named = [d for d in getattr(info, "param_decls", None) or () if d.startswith("--")]
            words.insert(0, f"{named[0] if named else '--' + each.replace('_', '-')}={odd}")
        elif isinstance(info, ArgumentInfo):
            words.append(odd if each == name else "1")
    return [*names, *[w for w in words if w.startswith("--")], "--", *_arguments(words)]


def _arguments(words: list[str]) -> list[str]:
    return [word for word in words if not word.startswith("--")]


def told(result: Any) -> str:
    """Return what a person would read; an error that no command expects is none."""
    error = result.exception
    assert error is None or isinstance(error, SystemExit | CommandError), repr(error)
    return f"{result.stderr}{error if isinstance(error, CommandError) else ''}"


def code(result: Any) -> int:
    error = result.exception
    return error.code if isinstance(error, CommandError) else result.exit_code


@pytest.mark.parametrize(("names", "hints", "name"), places(int))
def test_an_odd_number_is_refused(treadle: Run, names: Any, hints: Any, name: str) -> None:
    for odd in ODD_NUMBERS:
        result = treadle(*line(names, hints, name, odd))
        assert (odd, told(result) != "", code(result)) == (odd, True, USAGE)


@pytest.mark.parametrize(("names", "hints", "name"), places(Path))
def test_an_odd_path_is_reported_in_a_sentence(
    api: Api, treadle: Run, names: Any, hints: Any, name: str, tmp_path: Path
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for odd in ODD_FOLDERS:
        path = str(tmp_path / odd) if odd == "loop" else odd
        result = treadle(*line(names, hints, name, path))
        assert told(result) or code(result) == 0
        assert "Traceback" not in told(result)
    del api


@pytest.mark.parametrize("words", [["run", "x", "--agent", "a"], ["queue", "add", "x"], ["trust"]])
@pytest.mark.parametrize("odd", ["loop", "~nobody-here/x"])
def test_a_folder_without_a_whole_path_is_a_usage_error(
    treadle: Run, tmp_path: Path, words: list[str], odd: str
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    path = str(tmp_path / odd) if odd == "loop" else odd
    result = treadle(*words, *([path] if words == ["trust"] else ["--repo", path]))
    assert code(result) == USAGE
    assert "cannot be read" in told(result)


@pytest.mark.parametrize("odd", ["folder", "pipe", "loop", "absent", "empty", "/dev/zero"])
def test_what_is_no_file_does_not_go_with_a_message(
    api: Api, treadle: Run, tmp_path: Path, odd: str
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "empty").touch()
    result = treadle("say", THREAD, "look", "--attach", str(tmp_path / odd))
    assert code(result) == USAGE
    assert len(told(result).strip().splitlines()) == 1
    assert not [sent for sent in api.got if sent[0].startswith("POST")]


@pytest.mark.parametrize("odd", ["folder", "loop", "absent", "/dev/null", "x" * 4_000])
def test_what_is_no_amendment_is_a_usage_error(
    api: Api, treadle: Run, tmp_path: Path, odd: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    result = treadle("amend", THREAD, "--file", str(tmp_path / odd))
    assert code(result) == USAGE
    assert told(result).startswith("treadle: ")
    assert not [sent for sent in api.got if sent[0].startswith("POST")]


def test_the_walk_finds_the_commands() -> None:
    assert len(places(int)) > 15
    assert len(places(Path)) > 15
    assert CliRunner().invoke(app, ["logs", "--after", "x"]).exit_code == USAGE
