"""The verbs of plans as they are typed in a chat: `/plan status`.

Several words that begin with no verb are a goal; one word that is no verb is answered with the list.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from domain.core.command import MAX_GOAL
from domain.core.errors import InvalidError

_PLAN = re.compile(r"\s*/plan(?:\s+(?P<rest>.*))?\s*", re.DOTALL)

_SHOWN = re.compile(r"\s#([0-9a-f]{8,64})\s*$")

_SHAPE = re.compile(r"/([A-Za-z][\w:-]*)(?:\s|$)")


class Verb(StrEnum):
    """What can be said of a plan."""

    GOAL = "goal"
    STATUS = "status"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    AUTO = "auto"
    TURNS = "turns"
    DECIDE = "decide"
    RETRY = "retry"


USAGES = {
    Verb.GOAL: "/plan goal GOAL",
    Verb.STATUS: "/plan status",
    Verb.PAUSE: "/plan pause",
    Verb.RESUME: "/plan resume",
    Verb.CANCEL: "/plan cancel",
    Verb.AUTO: "/plan auto on|off",
    Verb.TURNS: "/plan turns NUMBER|off",
    Verb.DECIDE: "/plan decide ID CHOICE[,CHOICE] [#SHOWN]",
    Verb.RETRY: "/plan retry TASK",
}
LISTED = ", ".join(USAGES.values())


class SlashCommand(NamedTuple):
    """A verb and its words: a goal, on or off, a task's id, or a decision's id and choices.

    A goal without words is to be asked for. The answer to a decision is bound to what was `shown`, where it says so.
    """

    verb: Verb
    words: tuple[str, ...] = ()
    shown: str = ""


def parse_slash_command(text: str) -> SlashCommand | None:
    """Return the verb that a message is; None for a message that is none.

    Raises:
        InvalidError: There is no such verb, or its words do not fit; it says what there is.
    """
    found = _PLAN.fullmatch(text)
    if found is None:
        return None
    rest = (found["rest"] or "").strip()
    first, _, more = rest.partition(" ")
    try:
        verb = Verb(first.lower())
    except ValueError:
        if rest and not re.search(r"\s", rest):
            raise InvalidError(f"there is no verb {first[:80]!r}; there are: {LISTED}") from None
        return _goal(rest)
    if verb is Verb.GOAL:
        return _goal(more.strip())
    shown = _SHOWN.search(more) if verb is Verb.DECIDE else None
    said = more[: shown.start()] if shown else more
    return _checked(verb, said.split(maxsplit=1), rest)._replace(shown=shown[1] if shown else "")


def find_slash_name(text: str) -> str:
    """Return the name of the command that a text begins with; empty where it begins with none.

    A path such as `/etc/hosts` is none, and neither is what has a space before it.
    """
    found = _SHAPE.match(text)
    return found[1] if found else ""


def _goal(text: str) -> SlashCommand:
    if len(text) > MAX_GOAL:
        raise InvalidError(f"a goal has at most {MAX_GOAL} characters, this one {len(text)}")
    return SlashCommand(Verb.GOAL, (text,) if text else ())


def _checked(verb: Verb, words: list[str], rest: str) -> SlashCommand:
    wanted = {Verb.AUTO: 1, Verb.RETRY: 1, Verb.TURNS: 1, Verb.DECIDE: 2}.get(verb, 0)
    if len(words) != wanted or not _fits(verb, words):
        raise InvalidError(
            f"say {USAGES[verb]}; a goal that begins with this word is /plan goal {rest[:80]}"
        )
    return SlashCommand(verb, tuple(word.strip("\"'") for word in words))


def _fits(verb: Verb, words: list[str]) -> bool:
    match verb:
        case Verb.AUTO:
            return words in (["on"], ["off"])
        case Verb.TURNS:
            return words == ["off"] or bool(re.fullmatch(r"[0-9]{1,4}", words[0]))
        case _:
            return True


def goal_to_plan(text: str) -> str | None:
    """Return the goal that the first message of a thread asks to plan; None where it asks for none.

    Raises:
        InvalidError: It is another verb, or says no goal: there is no plan yet.
    """
    command = parse_slash_command(text)
    if command is None:
        return None
    if command.verb is not Verb.GOAL or not command.words:
        raise InvalidError("a new thread has no plan yet: say /plan GOAL, or send another message")
    return command.words[0]
