"""A plan in the text of a reply, for agents that cannot call tools: exactly one fenced block."""

import json
import re
from typing import Any, NamedTuple

LANGUAGES = frozenset({"json", "plan"})
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_SHOWN = 80


class FencedPlan(NamedTuple):
    """What a reply holds: a plan as it came, or what is wrong where there was to be one.

    `is_broken` when there is a block that was to be the plan, and not prose alone.
    """

    raw: Any = None
    problem: str = ""
    is_broken: bool = False

    @property
    def is_there(self) -> bool:
        """Whether there is a plan to look at."""
        return not self.problem


def fenced_plan(reply: str) -> FencedPlan:
    """Return the plan of a reply: its one block that is marked as JSON or as a plan.

    Blocks of other languages are passed over. Nothing is guessed and nothing fixed: prose, several
    blocks, a block without its end and JSON that is none are problems, in words for the planner.
    """
    blocks, is_open = _blocks(reply)
    if is_open:
        words = "the fenced block has no end: close it with ``` on a line"
        return FencedPlan(problem=words, is_broken=True)
    if not blocks:
        return FencedPlan(problem="the reply holds no plan: no block that begins with ```json")
    if len(blocks) > 1:
        words = (
            f"the reply holds {len(blocks)} fenced JSON blocks: send exactly one, the whole plan"
        )
        return FencedPlan(problem=words)
    return _parsed(blocks[0])


def _blocks(reply: str) -> tuple[list[str], bool]:
    """Return the texts of the blocks that can be plans, and whether the last one has no end."""
    found: list[str] = []
    fence, lines, is_plan = "", list[str](), False
    for line in reply.splitlines():
        match = _FENCE.match(line)
        if not fence and match:
            fence, lines = match[1], []
            words = match[2].lower().split()
            is_plan = bool(words) and words[0] in LANGUAGES
        elif fence and match and match[1].startswith(fence) and not match[2].strip():
            if is_plan:
                found.append("\n".join(lines))
            fence = ""
        elif fence:
            lines.append(line)
    return found, bool(fence) and is_plan


def _parsed(block: str) -> FencedPlan:
    try:
        raw = json.loads(block, object_pairs_hook=_once, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        line = block.split("\n")[error.lineno - 1]  # JSON's lines end in nothing else
        before = block[: error.pos].rstrip()
        is_trailing = before.endswith(",") and block[error.pos : error.pos + 1] in {"}", "]"}
        reason = "a comma stands before the end" if is_trailing else error.msg
        place = f"line {error.lineno}, column {error.colno} of the block"
        words = f"bad_json: {reason} at {place}: {line.strip()[:_SHOWN]!r}"
        return FencedPlan(problem=words, is_broken=True)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return FencedPlan(problem=f"bad_json: {reason}", is_broken=True)
    return FencedPlan(raw)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice[:_SHOWN]!r} stands twice in one object")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")
