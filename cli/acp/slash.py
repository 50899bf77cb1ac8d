"""The commands that a conversation has besides the agent's own, and what they answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from acp import schema

from domain.core.errors import InvalidError
from domain.plans.slash_commands import Verb, find_slash_name, parse_slash_command

DECIDING = frozenset({Verb.AUTO, Verb.DECIDE, Verb.TURNS})
"""Verbs of `/plan` that decide something, or let agents do more without asking."""


@dataclass(frozen=True)
class Own:
    """A command of Treadle."""

    name: str
    description: str
    hint: str = ""


OWN = (
    Own("plan", "Plan a goal; or status, pause, resume, cancel, retry TASK", "what to do"),
    Own("status", "Show how the thread stands"),
    Own("inbox", "Show what waits for you, and answer it"),
    Own("diff", "Show the changes of the thread or of a task", "task"),
    Own("merge", "Merge the thread's branch into the branch that it started from"),
    Own("pause", "Start no new tasks; running ones finish"),
    Own("resume", "Start tasks again"),
    Own("abort", "Abort a task", "task"),
    Own("abort-all", "Abort running tasks and pause the plan"),
    Own("retry", "Run a failed, cancelled or blocked task again", "task"),
    Own("open", "Show where the thread is on the page and on the command line"),
)
NAMES = frozenset(each.name for each in OWN)


def commands(agents: Iterable[str]) -> list[schema.AvailableCommand]:
    """Return the commands that the editor offers: Treadle's, then those of the thread's agent."""
    others = [Own(name, "A command of the agent") for name in agents if name not in NAMES]
    return [
        schema.AvailableCommand(
            name=each.name,
            description=each.description,
            input=schema.AvailableCommandInput(schema.UnstructuredCommandInput(hint=each.hint))
            if each.hint
            else None,
        )
        for each in (*OWN, *others)
    ]


def own_command(text: str) -> tuple[str, Sequence[str]] | None:
    """Return a command that is carried out here, and its words; `/plan` is the engine's own."""
    name = find_slash_name(text)
    if name not in NAMES or name == "plan":
        return None
    return name, text.split()[1:]


def decides(text: str) -> bool:
    """Tell whether a message decides something by itself, as `/plan auto on` does."""
    try:
        command = parse_slash_command(text)
    except InvalidError:
        return False
    return command is not None and command.verb in DECIDING
