"""JSON with the place of each value: what one parser takes and the next one refuses is refused here."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

MAX_DEPTH = 64
_STRING = r'"(?:[^"\\]|\\.)*"?'  # one without its end is one token, too: no second look at it
_TOKEN = re.compile(rf"{_STRING}|[{{}}\[\],:]|[^\s{{}}\[\],:\"]+", re.DOTALL)
_DIGITS = 20
_ECHO = 60
_CONSTANTS = frozenset({"NaN", "Infinity", "-Infinity"})

Path = tuple[str | int, ...]


class BadJsonError(ValueError):
    """A text is no JSON, or says something twice; `type` is the stable name of the reason."""

    def __init__(self, type_name: str, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.type = type_name
        self.line = line
        self.column = column


@dataclass(frozen=True)
class PlacedJson:
    """A value, and where each of its parts begins: lines and columns, from 1."""

    value: object
    places: dict[Path, tuple[int, int]]


def read_json(raw: bytes) -> PlacedJson:
    """Read one JSON text in UTF-8, with or without a byte order mark.

    Raises:
        BadJsonError: With the place, where there is one.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        reason = f"byte {error.start} is no UTF-8: save the file as UTF-8"
        raise BadJsonError("not_utf8", reason, line, 1) from error
    lines = _Lines(text)
    tokens = list(_TOKEN.finditer(text))
    _refuse_depth(tokens, lines)
    try:
        value = json.loads(text, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise BadJsonError("invalid_json", _reason(error), *lines.place(error.pos)) from error
    return PlacedJson(value, dict(_places(tokens, lines)))


class _Lines:
    def __init__(self, text: str) -> None:
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass
class _Frame:
    """An open object or list: what is read in it, and for an object whether a key comes next."""

    at: str | int | None
    is_key_next: bool
    keys: set[str] = field(default_factory=set[str])


def _places(tokens: list[re.Match[str]], lines: _Lines) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Yield the place of each value of a valid text; fails on a key that is there twice."""
    frames: list[_Frame] = []
    for token in tokens:
        text = token.group()
        frame = frames[-1] if frames else None
        if text in ("]", "}"):
            frames.pop()
        elif text == ",":
            _go_on(frames[-1])
        elif text == ":":
            frames[-1].is_key_next = False
        elif frame is not None and frame.is_key_next:
            _name(frame, text, lines.place(token.start()))
        else:
            place = lines.place(token.start())
            if text in _CONSTANTS:
                raise BadJsonError("invalid_json", f"{text} is no JSON", *place)
            yield tuple(each.at for each in frames if each.at is not None), place
            if text == "{":
                frames.append(_Frame(None, is_key_next=True))
            elif text == "[":
                frames.append(_Frame(0, is_key_next=False))


def _go_on(frame: _Frame) -> None:
    if isinstance(frame.at, int):
        frame.at += 1
    else:
        frame.is_key_next = True


def _name(frame: _Frame, text: str, place: tuple[int, int]) -> None:
    key: str = json.loads(text)
    if key in frame.keys:
        shown = json.dumps(key[:_ECHO])
        raise BadJsonError("duplicate_key", f"the key {shown} is there twice", *place)
    frame.keys.add(key)
    frame.at = key


def _refuse_depth(tokens: list[re.Match[str]], lines: _Lines) -> None:
    depth = 0
    for token in tokens:
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
        if depth > MAX_DEPTH:
            reason = f"more than {MAX_DEPTH} levels of brackets"
            raise BadJsonError("too_deep", reason, *lines.place(token.start()))


def _whole(digits: str) -> Any:
    """Return a number; one that no field takes is not worth its length."""
    return int(digits) if len(digits) <= _DIGITS else float(digits)


def _reason(error: json.JSONDecodeError) -> str:
    rest, before = error.doc[error.pos :], error.doc[: error.pos].rstrip()
    if rest.startswith(("//", "/*", "#")):
        return "JSON has no comments"
    if rest.startswith(("]", "}")) and before.endswith(","):
        return "there is a comma before the end of a list or an object"
    if not rest.strip():
        return "the text ends too soon"
    return f"{error.msg[:1].lower()}{error.msg[1:]}"
