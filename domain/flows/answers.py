"""What counts as yes and as no: of an agent, of a command, of an earlier step's output."""

from typing import Any, Literal

from domain.core.agent_json import decode_json
from domain.verification.steps import StepResult

MAX_ANSWER = 4_000
"""Characters of a last message that are looked at; an answer has a few dozen."""

_NOT_RUN = frozenset({126, 127})
"""Exit codes of a shell that could not run the command: they say neither yes nor no."""

Word = Literal["yes", "no", ""]


def answer_in(text: str) -> bool | None:
    """Return what a message says that is exactly one JSON object with an answer; None otherwise."""
    text = text.strip()
    if len(text) > MAX_ANSWER:
        return None
    reply = decode_json(text)
    if not isinstance(reply, dict) or set(reply) != {"answer"}:  # pyright: ignore[reportUnknownArgumentType] (any JSON)
        return None
    answer: Any = reply["answer"]  # pyright: ignore[reportUnknownVariableType]
    return {"yes": True, "no": False}.get(answer) if isinstance(answer, str) else None


def reply_excerpt(text: str) -> str:
    """Return what a run is told of a last message: whole where it can be an answer, else its tail."""
    text = text.strip()
    return text if len(text) <= MAX_ANSWER else f"… {text[-MAX_ANSWER + 2 :]}"


def answer_of_command(result: StepResult, *, is_exact: bool = False) -> bool | None:
    """Return what a command said: by its last line, else by its exit code; None where it did not run.

    One that must be exact says something by its last line alone, and only where it passed.
    """
    if not result.is_executed or (not result.passed and result.exit_code is None):
        return None
    lines = _printed(result)
    reply = answer_in(lines[-1]) if lines else None
    if is_exact:
        return reply if result.passed else None
    if reply is not None:
        return reply
    return None if result.exit_code in _NOT_RUN else result.passed


def _printed(result: StepResult) -> list[str]:
    """Return the lines that a command printed itself, without what is told of its end."""
    lines = result.output.strip().splitlines()
    ends = [n for n, line in enumerate(lines) if line.startswith("exit code ")]
    return lines[: ends[-1]] if ends and not result.passed else lines


def answer_of_output(output: str, equals: str | None) -> bool:
    """Return what an earlier step's output says: yes where it is `equals`, or says yes itself."""
    if equals is not None:
        return output.strip() == equals.strip()
    return answer_in(output) is True or output.strip().casefold() in {"yes", "true"}


def word_of(answer: bool | None) -> Word:  # noqa: FBT001  (it is the value, no switch)
    """Return an answer as events say it."""
    return "" if answer is None else "yes" if answer else "no"
