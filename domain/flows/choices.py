"""What a step of a flow file has too much or too little of: fields that exclude or need each other."""

from collections.abc import Iterator, Mapping

from domain.flows.foreign import UNSUPPORTED, unsupported_validation, unsupported_wave
from domain.flows.values import A_SCRIPT, is_script, names_script

EXITS = ("exitFlow", "haltFlow")
_EITHER = (
    EXITS,
    ("breakOnFailure", "continueOnFailure"),
    ("breakOnFailure", "continueOnInvalidResponse"),
)
_AGENT = ("agentType", "identifier", "question")
_COMMANDS = ("command", "decisionScript")
_OTHER_CONDITIONS = ("question", "command", "outputKey", "equals", "timeoutSeconds")

Fault = tuple[str, str, str]
"""The field, the stable type and the words of what is wrong."""


def choices(kind: object, raw: Mapping[str, object]) -> Iterator[Fault]:
    """Yield what is wrong with the choice of a step's fields, whatever they say."""
    if kind == "break":
        yield from _exclusive(raw)
    match kind:
        case "if" if "condition" in raw:
            yield from _text_condition(raw)
        case "break" | "continue" | "if":
            yield from _condition(raw)
        case "llm":
            yield from _sources(raw)
        case "reingest" if ("sourceId" in raw) is ("target" in raw):
            yield "target", "missing_field", "give a `target` or a `sourceId`, and not both"
        case "subflowWave":
            yield from unsupported_wave(raw)
        case "validateReviewArtifacts":
            yield from unsupported_validation(raw)
        case _:
            pass


def _exclusive(raw: Mapping[str, object]) -> Iterator[Fault]:
    for one, other in _EITHER:
        if raw.get(one) and raw.get(other):
            yield other, "bad_value", f"give `{one}` or `{other}`, not both"


def _sources(raw: Mapping[str, object]) -> Iterator[Fault]:
    sources = [field for field in ("messages", "markdownFile") if field in raw]
    if not sources:
        yield "messages", "missing_field", "`messages` is missing, or a `markdownFile`"
    elif len(sources) > 1:
        yield "markdownFile", "bad_value", "give `messages` or a `markdownFile`, not both"


def _text_condition(raw: Mapping[str, object]) -> Iterator[Fault]:
    """Yield what is wrong with a `condition`: a script's path, or a question with its agent."""
    others = [field for field in _OTHER_CONDITIONS if field in raw]
    text = raw["condition"].strip() if isinstance(raw["condition"], str) else ""
    missing = [f"`{field}`" for field in ("agentType", "identifier") if field not in raw]
    if others:
        words = f"there is one condition: give `condition` or `{others[0]}`, not both"
        yield "condition", UNSUPPORTED, words
    elif names_script(text):
        if not is_script(text):
            yield "condition", UNSUPPORTED, f"a script must be {A_SCRIPT}"
    elif text and missing:
        words = f"a `condition` is {A_SCRIPT}, or a question, and then {' and '.join(missing)} is missing"
        yield "condition", UNSUPPORTED, words


def _condition(raw: Mapping[str, object]) -> Iterator[Fault]:
    # where a script decides, its file names the agent that would have run it as well
    agent = () if "decisionScript" in raw else _AGENT
    ways = {
        "an agent's answer": [field for field in agent if field in raw],
        "a command": [field for field in _COMMANDS if field in raw],
        "an output": [field for field in ("outputKey",) if field in raw],
    }
    given = [name for name, fields in ways.items() if fields]
    if len(given) > 1:
        words = f"there is one condition, and here are {' and '.join(given)}"
        yield ways[given[1]][0], "bad_value", words
        return
    if all(field in raw for field in _COMMANDS):
        yield "decisionScript", "bad_value", "give a `command` or a `decisionScript`, not both"
    if not any(field in raw for field in _COMMANDS) and "timeoutSeconds" in raw:
        yield "timeoutSeconds", "bad_value", "`timeoutSeconds` goes with a `command`"
    if "outputKey" not in raw and "equals" in raw:
        yield "equals", "bad_value", "`equals` goes with an `outputKey`"
    if given in ([], ["an agent's answer"]):
        others = "" if given else "; or give a `command` or an `outputKey`"
        for field in _AGENT:
            if field not in raw:
                yield field, "missing_field", f"`{field}` is missing{others}"
                others = ""
