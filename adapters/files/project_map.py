"""Reads a repository's map file and facts from its head, never from files that somebody edits."""

import json
import posixpath
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, cast

from adapters.git.commands import Git, GitPlace, fields
from domain.core.project_map import MAP_FILES, ProjectSurvey

MAP_BYTES = 16_384
MAX_SHOWN = 40
MAX_LANGUAGES = 8
MAX_COMMITS = 8
MAX_SUBJECT = 100
AGENTS_FILE = "AGENTS.md"
_LINK = "120000"
_MAX_PATH = 200
_READ_BYTES = 256_000
_BUILD_FILES = ("Makefile", "justfile", "package.json", "pyproject.toml", "tox.ini")
_TARGET = re.compile(r"(?m)^(test|check|tests)\s*:(?!=)")
_SUFFIXES = """
Python py pyi, TypeScript ts tsx, JavaScript js jsx mjs cjs, Go go, Rust rs, Java java, Kotlin kt,
Swift swift, Ruby rb, PHP php, C c h, C++ cc cpp hpp, C# cs, Scala scala, Elixir ex exs, Haskell hs,
Shell sh, SQL sql, CSS css scss, HTML html, Vue vue, Svelte svelte, Lua lua, Dart dart, Zig zig,
Markdown md
"""
_LANGUAGES = {
    f".{suffix}": words[0]
    for words in (entry.split() for entry in _SUFFIXES.split(","))
    for suffix in words[1:]
}
_ALWAYS = {"Cargo.toml": "cargo test", "go.mod": "go test ./...", "tox.ini": "tox"}
_RUNNERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun"}


async def read_project(git: Git, place: GitPlace) -> tuple[str, ProjectSurvey]:
    """Return the text of the project map, cut to 16 KiB, and the facts; both empty where none are."""
    names, tops, link = await _listing(git, place)
    map_file = next((name for name in MAP_FILES if name in tops), "")
    text = await _content(git, place, tops[map_file]) if map_file else b""
    builds = {n: await _content(git, place, tops[n]) for n in _BUILD_FILES if n in tops}
    survey = ProjectSurvey(
        map_file=map_file,
        languages=_languages(names),
        top_level=_top_level(names),
        file_count=len(names),
        test_commands=tuple(dict.fromkeys(_test_commands(set(names), builds))),
        recent_commits=await _commits(git, place),
        agents_link=_target(await _content(git, place, link)) if link else "",
    )
    return text[:MAP_BYTES].decode("utf-8", "ignore"), survey


async def _listing(git: Git, place: GitPlace) -> tuple[list[str], dict[str, str], str]:
    """Return the names of all files at the head, the blobs of plain files at its top, and AGENTS.md's where it is a link."""
    listing = await git.run(place, "ls-tree", "-r", "-z", "HEAD", is_long=True)
    names: list[str] = []
    tops: dict[str, str] = {}
    link = ""
    for entry in fields(listing.output.content()):
        about, _, name = entry.partition("\t")
        if not name:
            continue  # the listing was cut here: it is that long
        names.append(name)
        mode, _, blob = about.split(" ")
        if "/" not in name and mode.startswith("100"):  # a regular file: no link
            tops[name] = blob
        if name == AGENTS_FILE and mode == _LINK:
            link = blob
    return names, tops, link


def _target(link: bytes) -> str:
    """Return the path of the file that a link at the top leads to; empty where that is outside."""
    path = posixpath.normpath(link.decode("utf-8", "replace"))
    is_inside = not path.startswith(("/", "../")) and path not in {".", ".."}
    return path if is_inside and len(path) <= _MAX_PATH else ""


async def _content(git: Git, place: GitPlace, blob: str) -> bytes:
    done = await git.run(place, "cat-file", "blob", blob)
    return done.output.content()[:_READ_BYTES]


async def _commits(git: Git, place: GitPlace) -> tuple[str, ...]:
    done = await git.run(place, "log", f"-{MAX_COMMITS}", "--no-show-signature", "--format=%h %s")
    return tuple(line[:MAX_SUBJECT] for line in done.output.text().splitlines()[:MAX_COMMITS])


def _languages(names: list[str]) -> tuple[str, ...]:
    known = (_LANGUAGES.get(PurePosixPath(name).suffix.lower()) for name in names)
    counted = Counter(language for language in known if language)
    return tuple(f"{name} ({count})" for name, count in counted.most_common(MAX_LANGUAGES))


def _top_level(names: list[str]) -> tuple[str, ...]:
    """Return the top folders with how many files they hold, then the top files."""
    folders = Counter(name.split("/", 1)[0] for name in names if "/" in name)
    shown = [f"{name}/ ({count})" for name, count in folders.items()]
    shown += [name for name in names if "/" not in name]
    more = [f"and {len(shown) - MAX_SHOWN} more"] if len(shown) > MAX_SHOWN else []
    return (*shown[:MAX_SHOWN], *more)


def _test_commands(names: set[str], builds: Mapping[str, bytes]) -> Iterator[str]:
    """Yield commands that likely run the project's tests; nothing of them is tried."""
    for file, command in (("Makefile", "make"), ("justfile", "just")):
        for target in _TARGET.findall(builds.get(file, b"").decode("utf-8", "replace")):
            yield f"{command} {target}"
    if "test" in _scripts(builds.get("package.json", b"")):
        runner = next((r for lock, r in _RUNNERS.items() if lock in names), "npm")
        yield f"{runner} test"
    if "pytest" in _tools(builds.get("pyproject.toml", b"")) or "pytest.ini" in names:
        yield "python -m pytest"
    elif any(name.startswith("tests/") and name.endswith(".py") for name in names):
        yield "python -m unittest"
    yield from (command for file, command in _ALWAYS.items() if file in names)


def _scripts(package: bytes) -> Mapping[str, Any]:
    try:
        raw = json.loads(package)
    except (ValueError, RecursionError):
        return {}
    scripts: Any = cast("dict[str, Any]", raw).get("scripts") if isinstance(raw, dict) else None
    return cast("dict[str, Any]", scripts) if isinstance(scripts, dict) else {}


def _tools(project: bytes) -> Mapping[str, Any]:
    try:
        raw = tomllib.loads(project.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    tools: Any = raw.get("tool")
    return cast("dict[str, Any]", tools) if isinstance(tools, dict) else {}
