"""Which changed files could judge the work that changed them, by what they are and who calls them.

What a step's processes then open of them is watched, and told. Files that are new are not here: the
product is meant to grow, and so are its tests. Nor is ordinary source, which tests import.
"""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any, cast

from domain.core.wire import Wire

MAX_JUDGED = 50
MAX_WATCHED = 200

_GONE, _LINK, _PROGRAM = "000000", "120000", "100755"
_TEST_FOLDERS = frozenset(
    {"test", "tests", "__tests__", "spec", "specs", "e2e", "testdata", "__snapshots__"}
)
_TEST_FILE = re.compile(
    r"test_.+|tests?\.\w+|.+[._-](?:test|tests|spec|specs)(?:\.\w+)+|.+_test\.\w+|.+\.snap|.+\.bats"
)
_TEST_CLASS = re.compile(r".+(?:Tests?|Spec|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|swift|php)")
_TOOL_FOLDERS = frozenset(
    {"scripts", "script", "bin", "tools", "tool", "ci", ".ci", "hack", "build-tools", "hooks"}
)
_SET_UP_SUFFIXES = frozenset({".toml", ".ini", ".cfg", ".conf", ".mk", ".rc", ".properties"})
_SHELL_SUFFIXES = frozenset(
    {".sh", ".bash", ".zsh", ".ksh", ".fish", ".ps1", ".bat", ".cmd", ".mk"}
)
CALLERS = (
    *("GNUmakefile", "makefile", "Makefile", "package.json", "justfile", "Justfile", ".justfile"),
    *("Taskfile.yml", "Taskfile.yaml", "tox.ini", "noxfile.py", "tasks.py", "Rakefile"),
    *(".pre-commit-config.yaml", "lefthook.yml", "composer.json", "deno.json", "build.sh"),
)
"""Files at the root that say what the usual commands of a step run."""

_CALL = re.compile(
    r"(?:^|[\s;&|(`'\"@=\[])"
    r"(?:(?:ba|da|z|k)?sh|source|\.|include|-f|(?:python|pypy)[\d.]*|node|deno|bun|tsx|ts-node"
    r"|ruby|perl|php|lua|pwsh|Rscript)[\s'\",]+(?:-[\w-]+[\s'\",]+)*([\w.+/-]+)"
)
_FIRST = re.compile(
    r"(?:^|[;&|(`]|\b(?:commands|entry|cmd|run|script)\s*[=:])[\s@+-]*"
    r"(\.{1,2}/[\w./+-]+|[\w.+-]+(?:/[\w.+-]+)+)"
)
"""Files that an interpreter is given, and paths that a command begins with."""

_RUNNING = re.compile(r"^(?:run|serve|start|dev|debug|watch)\s*:")
_SCRIPTS = ("scripts", "tasks")
_PRODUCT = frozenset({"run", "serve", "start", "dev", "debug", "watch"})
"""What starts the product, where tests may well open what it names."""

_SOURCE_FOLDERS = frozenset({"src", "lib", "app", "pkg", "internal", "cmd"})


class How(StrEnum):
    """How a changed file could judge: a step opened it, it is gone, or it is a link now or was one."""

    OPENED = "opened"
    UNWATCHED = "unwatched"
    REMOVED = "removed"
    LINK = "link"


class Judged(Wire):
    """A file that was there before the task changed it, and that had part in a step's verdict."""

    name: str
    how: How = How.OPENED
    is_test: bool = False


@dataclass(frozen=True)
class Altered:
    """A file that was there before a task: its git modes then and now."""

    name: str
    was: str
    now: str

    @property
    def is_gone(self) -> bool:
        """Whether there is none any more."""
        return self.now == _GONE

    @property
    def is_link(self) -> bool:
        """Whether it is a link, or was one."""
        return _LINK in {self.was, self.now}

    @property
    def can_run(self) -> bool:
        """Whether it is a program by its mode."""
        return _PROGRAM in {self.was, self.now}


def is_test(name: str) -> bool:
    """Tell whether a file is a test, or belongs to tests."""
    *folders, file = PurePosixPath(name).parts or ("",)
    is_kept = not _TEST_FOLDERS.isdisjoint(folder.lower() for folder in folders)
    return is_kept or bool(_TEST_FILE.fullmatch(file.lower()) or _TEST_CLASS.fullmatch(file))


def suspects(altered: Iterable[Altered], called: frozenset[str]) -> tuple[Altered, ...]:
    """Return what of the changed files could judge; `called` are those that steps run in turn."""
    return tuple(o for o in altered if _could_judge(o) or (o.name in called and _is_apart(o.name)))


def called_by(text: str, caller: str) -> frozenset[str]:
    """Return the paths that a script or build file runs, as they are from the root.

    Also as they would be from the caller's folder. What starts the product is passed over.
    """
    found: set[str] = set()
    is_product = False
    for line in _scripts_in(text).splitlines() if caller.endswith(".json") else text.splitlines():
        if line[:1].strip():
            is_product = bool(_RUNNING.match(line))
        if not is_product:
            found.update(_CALL.findall(line))
            found.update(_FIRST.findall(line))
    folder = PurePosixPath(caller).parent
    paths = (path for name in found for path in (PurePosixPath(name), folder / name))
    return frozenset(filter(None, map(_plain, paths)))


def judged_files(
    found: Sequence[Altered], opened: frozenset[str], unwatched: frozenset[str]
) -> tuple[Judged, ...]:
    """Return what of the suspects is told: what was opened, may have been, is gone, or is a link."""
    judged = (_judge(one, opened, unwatched) for one in found)
    return tuple(one for one, _ in zip(filter(None, judged), range(MAX_JUDGED), strict=False))


def _judge(one: Altered, opened: frozenset[str], unwatched: frozenset[str]) -> Judged | None:
    how = (
        How.REMOVED
        if one.is_gone
        else How.LINK
        if one.is_link
        else How.OPENED
        if one.name in opened
        else How.UNWATCHED
        if one.name in unwatched
        else None
    )
    return Judged(name=one.name, how=how, is_test=is_test(one.name)) if how else None


def _could_judge(one: Altered) -> bool:
    path = PurePosixPath(one.name)
    *folders, file = path.parts or ("",)
    suffix = path.suffix.lower()
    is_root = not folders
    return (
        one.is_link
        or one.can_run
        or is_test(one.name)
        or suffix in _SHELL_SUFFIXES
        or not _TOOL_FOLDERS.isdisjoint(folder.lower() for folder in folders)
        or (is_root and (file.startswith(".") or suffix in _SET_UP_SUFFIXES))
    )


def _is_apart(name: str) -> bool:
    """Tell whether a file lies apart from the sources of the product."""
    return PurePosixPath(name).parts[0].lower() not in _SOURCE_FOLDERS


def _scripts_in(text: str) -> str:
    """Return the commands of a package's file, a line each, without those that start the product."""
    package: Any = None
    with suppress(ValueError, RecursionError):
        package = json.loads(text)
    parts = (_members(_members(package).get(key)) for key in _SCRIPTS)
    scripts = (script for part in parts for script in part.items())
    return "\n".join(str(command) for name, command in scripts if name not in _PRODUCT)


def _members(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _plain(path: PurePosixPath) -> str:
    """Return a path without its detours, empty where it leads out."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part != "/":
            parts.append(part)
        else:
            return ""
    return "/".join(parts)
