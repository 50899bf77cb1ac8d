"""Patches as the diffs of the protocol: of each file the lines before and after, hunk by hunk."""

import io
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from acp import schema

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
GAP = "⋯\n"
"""Stands for lines that did not change, between two hunks."""


class ChangedFile(NamedTuple):
    """A file of a patch: its shown lines before and after, or in `note` what has no lines."""

    path: str
    before: str | None
    after: str
    note: str = ""


def changed_files(patch: str) -> list[ChangedFile]:
    """Return the files of a patch of git, in order."""
    lines = list(io.StringIO(patch, newline="\n"))  # a carriage return is a part of its line
    starts = [n for n, line in _outside(lines) if line.startswith("diff --git ")]
    return [_file(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]


def _outside(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are in no hunk, with their numbers."""
    number = 0
    while number < len(lines):
        found = _HUNK.match(lines[number])
        if found is None:
            yield number, lines[number]
            number += 1
            continue
        number += 1 + _length(lines[number + 1 :], found)


def _length(lines: list[str], hunk: re.Match[str]) -> int:
    """Return how many lines a hunk has, after its head."""
    before, after = (int(count or 1) for count in hunk.groups())
    for number, line in enumerate(lines):
        if before <= 0 and after <= 0 and not line.startswith("\\"):
            return number
        before -= line[:1] in {"-", " ", "\n"}
        after -= line[:1] in {"+", " ", "\n"}
    return len(lines)


def _file(lines: list[str]) -> ChangedFile:
    head = [line for _, line in _outside(lines)]
    marks = {
        line[:4]: line[4:].rstrip("\n").rstrip("\t")
        for line in head
        if line[:4] in {"--- ", "+++ "}
    }
    path = _named(marks.get("+++ ", "")) or _named(marks.get("--- ", "")) or _of_git_line(head[0])
    is_new = marks.get("--- ") == "/dev/null"
    before, after = _sides(lines)
    if not before and not after:
        return ChangedFile(path, None, "", "".join(head[1:]).strip() or "no lines changed")
    return ChangedFile(path, None if is_new else before, after)


def _sides(lines: list[str]) -> tuple[str, str]:
    before: list[str] = []
    after: list[str] = []
    number = 0
    while number < len(lines):
        found = _HUNK.match(lines[number])
        number += 1
        if found is None:
            continue
        if before or after:
            before.append(GAP)
            after.append(GAP)
        length = _length(lines[number:], found)
        for line in lines[number : number + length]:
            if line[:1] in {"-", " ", "\n"}:
                before.append(line[1:] or "\n")
            if line[:1] in {"+", " ", "\n"}:
                after.append(line[1:] or "\n")
        number += length
    return "".join(before), "".join(after)


def _named(mark: str) -> str:
    if mark in {"", "/dev/null"}:
        return ""
    return mark.strip('"').partition("/")[2]


def _of_git_line(line: str) -> str:
    return line.rstrip("\n").rpartition(" b/")[2] or line.strip()


def diff_content(
    patch: str, folder: Path
) -> list[schema.FileEditToolCallContent | schema.ContentToolCallContent]:
    """Return a patch as the content of a tool call; `folder` is where its paths are relative to."""
    shown: list[schema.FileEditToolCallContent | schema.ContentToolCallContent] = []
    for file in changed_files(patch):
        if file.note:
            text = schema.TextContentBlock(type="text", text=f"{file.path}: {file.note}")
            shown.append(schema.ContentToolCallContent(type="content", content=text))
            continue
        path = str(folder / file.path)
        shown.append(
            schema.FileEditToolCallContent(
                type="diff", path=path, old_text=file.before, new_text=file.after
            )
        )
    return shown
