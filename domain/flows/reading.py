"""A flow file's JSON as a flow, or everything that is wrong with it."""

from collections.abc import Sequence
from typing import Protocol, cast

from domain.flows import shapes
from domain.flows.checks import faults
from domain.flows.definition import FlowDefinition
from domain.flows.foreign import UNSUPPORTED
from domain.flows.layout import joined, lay_out
from domain.flows.outline import MAX_PROBLEMS, Outline, PlacedStep, echo, outline, way
from domain.flows.problems import FlowProblem, FlowProblemsError, FlowTextError
from domain.flows.wording import unsound


class FlowTexts(Protocol):
    """Where the files are that steps name for their texts; each method fails with `FlowTextError`."""

    def markdown(self, path: str) -> str:
        """Return the text of a Markdown file."""
        ...

    def command(self, agent_type: str, name: str) -> object:
        """Return the JSON of an agent's command file."""
        ...


class NoTexts:
    """Implements `FlowTexts` where there is nothing but the flow file itself."""

    def markdown(self, path: str) -> str:
        """Refuse."""
        raise FlowTextError(f"{echo(path)!r} can be read only of a flow that lies in its folder")

    def command(self, agent_type: str, name: str) -> object:
        """Refuse."""
        whose = f"the command {echo(name)!r} of {echo(agent_type)!r}"
        raise FlowTextError(f"{whose} can be read only of a flow that lies in its folder")


class UnseenTexts:
    """Implements `FlowTexts` where the files can't be looked at; `names` are those that were asked for."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def markdown(self, path: str) -> str:
        """Take it for a text."""
        self.names.append(path)
        return f"(the text of {echo(path)})"

    def command(self, agent_type: str, name: str) -> object:
        """Take it for a command of one message."""
        self.names.append(f"{agent_type}/{name}")
        message = {"type": "message", "role": "user", "content": [f"(the command {echo(name)})"]}
        return {"Description": "unseen", "items": [message]}


def read_flow(raw: object, name: str, texts: FlowTexts | None = None) -> FlowDefinition:
    """Return the flow that a file's JSON says.

    Raises:
        FlowProblemsError: With all that is wrong, in the order of the file.
    """
    if not isinstance(raw, dict):
        words = 'a flow file is one object, {"steps": […]}'
        raise FlowProblemsError([FlowProblem(type="bad_value", message=words)])
    top = cast("dict[str, object]", raw)
    found = outline(top)
    _refuse([*found.problems, *_unsound(top, found)])
    file = shapes.FlowFile.model_validate(top)
    spoken, unread = _spoken(found.steps, texts or NoTexts())
    steps = lay_out(file.steps, spoken)
    total = len(found.steps)
    flow = FlowDefinition(name=name, description=file.description, steps=steps, total=total)
    _refuse([*unread, *faults(flow, found.steps)])
    return flow


def _refuse(problems: Sequence[FlowProblem]) -> None:
    if problems:
        raise FlowProblemsError(sorted(problems, key=_order)[:MAX_PROBLEMS])


def _order(problem: FlowProblem) -> int:
    return -1 if problem.step is None else problem.step


def _unsound(top: dict[str, object], found: Outline) -> list[FlowProblem]:
    """Return what is wrong with the fields of steps; of one that can't be done that is all to say."""
    if not found.is_whole:
        return []
    refused = {problem.step for problem in found.problems if problem.type == UNSUPPORTED}
    problems = unsound(shapes.FlowFile, top, found.steps)
    return [problem for problem in problems if problem.step not in refused]


def _spoken(
    steps: Sequence[PlacedStep], texts: FlowTexts
) -> tuple[dict[int, tuple[str, ...]], list[FlowProblem]]:
    """Read the files that steps name for their texts."""
    spoken: dict[int, tuple[str, ...]] = {}
    problems: list[FlowProblem] = []
    for step in steps:
        field = next((each for each in ("markdownFile", "commandName") if each in step.raw), None)
        if field is None:
            continue
        try:
            spoken[step.index] = _messages(step, texts)
        except FlowTextError as error:
            path = way((*step.path, field))
            problem = FlowProblem(type="bad_text", step=step.index, field=path, message=str(error))
            problems.append(problem)
    return spoken, problems


def _messages(step: PlacedStep, texts: FlowTexts) -> tuple[str, ...]:
    if "markdownFile" in step.raw:
        return (texts.markdown(str(step.raw["markdownFile"]).strip()),)
    agent_type, name = (str(step.raw[key]).strip() for key in ("agentType", "commandName"))
    raw = texts.command(agent_type, name)
    wrong = [str(problem) for problem in unsound(shapes.CommandFile, raw)]
    if wrong:
        words = f"the command {echo(name)!r} of {echo(agent_type)!r} can't be used"
        raise FlowTextError(f"{words}: {'; '.join(wrong[:5])}")
    items = shapes.CommandFile.model_validate(raw).items
    commands = [item for item in items if isinstance(item, shapes.CommandItem)]
    if not commands:
        raise FlowTextError(f"the command {echo(name)!r} of {echo(agent_type)!r} has no message")
    return tuple(_command_text(item, name, texts) for item in commands)


def _command_text(item: shapes.CommandItem, command: str, texts: FlowTexts) -> str:
    if bool(item.content) == bool(item.markdown_file):
        words = "needs `content` or a `markdownFile` in each item, and not both"
        raise FlowTextError(f"the command {echo(command)!r} {words}")
    return joined(item.content) if item.content else texts.markdown(item.markdown_file)
