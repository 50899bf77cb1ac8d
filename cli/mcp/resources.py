"""What clients read by address, and texts that they offer to people."""

import re
from collections.abc import Callable
from typing import NamedTuple

from cli.mcp import arguments, readings
from cli.mcp.tool import Call, ToolError

LISTED = 50
MAX_DIFF = arguments.MAX_PIECE

_JSON = "application/json"
_DIFF = "text/x-diff"


class Template(NamedTuple):
    """A kind of resource, by its address with names in braces."""

    address: str
    title: str
    mime_type: str
    read: Callable[[Call, dict[str, str]], str]

    @property
    def pattern(self) -> re.Pattern[str]:
        """What an address of this kind looks like."""
        names = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]{1,300})", re.escape(self.address))
        return re.compile(names)


class Prompt(NamedTuple):
    """A text that a person starts with, with what they fill in."""

    name: str
    title: str
    arguments: tuple[tuple[str, str], ...]
    text: str


def _thread(call: Call, names: dict[str, str]) -> str:
    return readings.get_thread(call, arguments.OfThread(**names)).model_dump_json(indent=2)


def _task(call: Call, names: dict[str, str]) -> str:
    return readings.get_task(call, arguments.OfTask(**names)).model_dump_json(indent=2)


def _diff(call: Call, names: dict[str, str]) -> str:
    wanted = arguments.OfDiff(
        thread=names["thread"], task=names.get("task"), max_characters=MAX_DIFF
    )
    part = readings.read_diff(call, wanted)
    left = "" if part.next is None else f"\n# {part.characters - part.next:,} more characters\n"
    return f"{part.text}{left}"


def _threads(call: Call, _names: dict[str, str]) -> str:
    return readings.list_threads(call, arguments.Search(limit=LISTED)).model_dump_json(indent=2)


TEMPLATES = (
    Template("treadle://threads", "Threads", _JSON, _threads),
    Template("treadle://threads/{thread}", "A thread", _JSON, _thread),
    Template("treadle://threads/{thread}/diff", "What a thread changed", _DIFF, _diff),
    Template("treadle://threads/{thread}/tasks/{task}", "A task", _JSON, _task),
    Template("treadle://threads/{thread}/tasks/{task}/diff", "What a task changed", _DIFF, _diff),
)

PROMPTS = (
    Prompt(
        "propose",
        "Propose work to Treadle",
        (("goal", "What is to be reached"),),
        "Propose this as a planned thread with the tool propose_thread, then tell me its id and where I approve "
        "the plan. Do not do the work yourself.\n\n{goal}",
    ),
    Prompt(
        "follow",
        "Follow a thread of Treadle",
        (("thread", "Thread id, or a part of it"),),
        "Wait with wait_for_thread until the thread {thread} needs me or is over. Then sum up what changed, from "
        "get_thread and read_diff, and what I am asked. I decide: do not try to.",
    ),
)


def read(call: Call, address: str) -> tuple[str, str]:
    """Return what is at an address, and its MIME type.

    Raises:
        ToolError: There is no such resource.
    """
    for template in TEMPLATES:
        if found := template.pattern.fullmatch(address):
            return template.read(call, found.groupdict()), template.mime_type
    known = ", ".join(template.address for template in TEMPLATES)
    raise ToolError("not_found", f"no resource {address[:200]!r}; there are: {known}")
