"""JSON that an agent sends: in a fenced block of its reply, or as a text in a tool's argument."""

import json
import re
from collections import Counter
from typing import Any, NamedTuple, NoReturn

LANGUAGES = frozenset({"json", "plan"})
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_SHOWN = 80


class FencedJson(NamedTuple):
    """What a reply holds: a value, or what is wrong where there should be one.

    `is_broken` when there is a block that was to hold it, and not prose alone.
    """

    value: Any = None
    problem: str = ""
    is_broken: bool = False

    @property
    def is_there(self) -> bool:
        """Whether there is a value to look at."""
        return not self.problem


def read_fenced_json(reply: str) -> FencedJson:
    """Return the value of a reply's one block that is marked as JSON or as a plan.

    Blocks of other languages are passed over. Nothing is guessed or repaired: prose, several blocks,
    a block without its end and invalid JSON are problems, in words for the agent.
    """
    blocks, is_open = _blocks(reply)
    if is_open:
        words = "the fenced block has no end: close it with ``` on a line"
        return FencedJson(problem=words, is_broken=True)
    if not blocks:
        return FencedJson(problem="the reply has no block that begins with ```json")
    if len(blocks) > 1:
        words = f"the reply has {len(blocks)} fenced JSON blocks: send exactly one, with all of it"
        return FencedJson(problem=words)
    try:
        return FencedJson(parse_json(blocks[0]))
    except ValueError as error:
        return FencedJson(problem=f"bad_json: {error}", is_broken=True)


def _blocks(reply: str) -> tuple[list[str], bool]:
    """Return the texts of the blocks that are marked, and whether the last one has no end."""
    found: list[str] = []
    fence, lines, is_marked = "", list[str](), False
    for line in reply.splitlines():
        match = _FENCE.match(line)
        if not fence and match:
            fence, lines = match[1], []
            words = match[2].lower().split()
            is_marked = bool(words) and words[0] in LANGUAGES
        elif fence and match and match[1].startswith(fence) and not match[2].strip():
            if is_marked:
                found.append("\n".join(lines))
            fence = ""
        elif fence:
            lines.append(line)
    return found, bool(fence) and is_marked


def decode_json(raw: Any) -> Any:
    """Return the value of JSON that a model sent as a text; anything else stays as it is."""
    try:
        return parse_json(raw) if isinstance(raw, str) else raw
    except ValueError:
        return raw


def parse_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: It is invalid, nested too deeply, or has a field twice in an object; with the
            line and column where they are known.
    """
    try:
        return json.loads(text, object_pairs_hook=unique_fields, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1]  # JSON's lines end in nothing else
        before = text[: error.pos].rstrip()
        is_trailing = before.endswith(",") and text[error.pos : error.pos + 1] in {"}", "]"}
        reason = "trailing comma" if is_trailing else error.msg
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"{reason} at {place}: {line.strip()[:_SHOWN]!r}") from error


def unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object as a dictionary; for `json.loads` as `object_pairs_hook`.

    Raises:
        ValueError: One is there twice: readers disagree about which of them counts.
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the field {twice[:_SHOWN]!r} is in one object twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
