"""A request for permission as a person is shown it: bounded, readable, without control characters."""

import difflib
import hashlib
import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from adapters.acp.limits import clipped
from adapters.acp.tool_calls import Request
from adapters.tolerant import as_dict, as_list, as_text
from domain.agents.permissions import scope_of
from domain.conversations.questions.question import (
    DENY,
    MAX_OPTIONS,
    Asked,
    QuestionKind,
    QuestionOption,
)

DETAIL_BYTES = 3_000
LABEL_BYTES = 90
ID_BYTES = 60
DIFF_BYTES = 30_000
MIN_ID = 4
"""A shorter id of a call may be a word of what is asked."""

OWN_DENIAL = QuestionOption(option_id="treadle-deny", label="Deny", kind="reject_once")
"""Offered where the agent offers no way to say no; it is answered that nothing was chosen."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def describe_request(request: Request) -> tuple[Asked, str]:
    """Return what is asked, and the whole of it where that is longer than what is shown."""
    whole = "\n".join(_lines(request.call)).strip()
    shown = clipped(_plain(whole), DETAIL_BYTES)
    asked = Asked(
        kind=QuestionKind.PERMISSION,
        title=_plain(request.name),
        tool=_plain(request.use.kind),
        detail=shown,
        input_hash=hashlib.sha256(_substance(request.call).encode()).hexdigest(),
        scope=_scope(request),
        options=_options(request),
    )
    return asked, whole if len(whole.encode()) > DETAIL_BYTES else ""


def _substance(call: dict[str, Any]) -> str:
    """Return all that an agent tells of a call but what its next try tells otherwise.

    That is the call's id, wherever it stands, and the terminals that its output goes to.
    """
    contents = [as_dict(part) for part in as_list(call.get("content"))]
    identity = {
        "rawInput": call.get("rawInput"),
        "locations": call.get("locations"),
        "content": [part for part in contents if part.get("type") != "terminal"],
    }
    text, own_id = json.dumps(identity, sort_keys=True), as_text(call.get("toolCallId"))
    return text.replace(own_id, "") if len(own_id) >= MIN_ID else text


def _scope(request: Request) -> str:
    """Return what a remembered answer would count for; what is not shown as it is has none."""
    scope = scope_of(request.use)
    return scope if _plain(scope) == scope else ""


def _options(request: Request) -> tuple[QuestionOption, ...]:
    """Return the agent's options, all of them as far as they are bearable, each by an id of its own; one says no."""
    known = {as_text(option["optionId"]) for option in request.options}
    options = [
        QuestionOption(
            option_id=_id_of(number, as_text(option["optionId"]), known),
            label=_line(as_text(option.get("name")) or as_text(option["optionId"])),
            kind=clipped(_plain(as_text(option.get("kind"))), LABEL_BYTES),
        )
        for number, option in enumerate(request.options[: MAX_OPTIONS - 1], 1)
    ]
    if options and not any(option.kind in DENY for option in options):
        own = _unlike(OWN_DENIAL.option_id, known)
        options.append(OWN_DENIAL.model_copy(update={"option_id": own}))
    return tuple(options)


def _id_of(number: int, option_id: str, known: Collection[str]) -> str:
    """Return the agent's own id, or a number where that could not be typed."""
    is_typed = option_id.isprintable() and len(option_id.encode()) <= ID_BYTES
    return option_id if is_typed else _unlike(f"option-{number}", known)


def _unlike(option_id: str, known: Collection[str]) -> str:
    """Return an id that is none of the agent's: a no by it would be taken for the yes of that id."""
    while option_id in known:
        option_id += "-"
    return option_id


def _lines(call: dict[str, Any]) -> Iterator[str]:
    """Yield what an agent wants to do: its command, its diffs, else its input, and where."""
    raw = call.get("rawInput")
    command = as_dict(raw).get("command")
    words = [*map(str, as_list(command))] or [as_text(command)]
    if any(words):
        yield f"$ {' '.join(words)}"
    contents = [as_dict(part) for part in as_list(call.get("content"))]
    diffs = [part for part in contents if part.get("type") == "diff"]
    for part in diffs:
        yield from _diff(part)
    for part in contents:
        yield as_text(as_dict(part.get("content")).get("text"))
    if raw and not diffs and not any(words):
        yield json.dumps(raw, indent=2, ensure_ascii=False)
    places = [as_text(as_dict(place).get("path")) for place in as_list(call.get("locations"))]
    if any(places):
        yield f"in {', '.join(filter(None, places))}"


def _diff(part: dict[str, Any]) -> Iterator[str]:
    old, new = as_text(part.get("oldText")), as_text(part.get("newText"))
    path = as_text(part.get("path"))
    if len(old) + len(new) > DIFF_BYTES:
        yield f"{path}: {len(old)} characters become {len(new)}\n{new}"
        return
    yield from difflib.unified_diff(old.splitlines(), new.splitlines(), path, path, lineterm="")


def _plain(text: str) -> str:
    """Return a text that a terminal shows as it is, and that can be written at all."""
    return _CONTROL.sub("\ufffd", text.encode(errors="replace").decode())


def _line(text: str) -> str:
    return clipped(" ".join(_plain(text).split()), LABEL_BYTES) or "(no name)"
