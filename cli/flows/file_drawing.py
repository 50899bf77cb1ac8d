"""Flow files as they are drawn on a terminal."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import listed, plain
from cli.core.tables import table_of
from domain.core.text import counted
from domain.flows.definition import Condition, Exit, FlowDefinition, FlowStep, StepKind
from domain.flows.problems import FlowProblem
from domain.flows.views import FlowRow, FlowView

_OPENING = {StepKind.START_LOOP, StepKind.IF}
_ENDING = {StepKind.END_LOOP, StepKind.END_IF}
_EXITS = {Exit.LOOP: "", Exit.FLOW: "(completes the flow)", Exit.HALT: "(stops the flow)"}
_CUT = 100


def listing(rows: list[FlowRow]) -> RenderableType:
    """Draw flows as a table, with the problems of broken ones below it."""
    table = table_of("flow", "from", "", "steps", "about", folded=["flow"])
    for row in rows:
        state, style = _state(row)
        steps = str(row.steps) if row.steps else ""
        about = row.path if row.disabled else row.description
        cells = (plain(row.name), plain(row.scope), plain(state, style), plain(steps))
        table.add_row(*cells, plain(about, "dim"))
    noted = [row for row in rows if row.disabled]
    parts: list[RenderableType] = [table]
    if noted:
        parts += [plain(""), verdicts(noted)]
    return Group(*parts)


def verdicts(rows: Iterable[FlowRow]) -> RenderableType:
    """Draw for each file whether it is valid, and its problems."""
    lines: list[RenderableType] = []
    for row in rows:
        lines.append(plain(f"✗ {row.path}", "red") if row.disabled else _sound(row))
        lines += [plain(f"    {line}") for problem in row.problems for line in _problem(problem)]
        lines += [plain(f"    {warning}", "yellow") for warning in row.warnings]
    return Group(*lines)


def page(view: FlowView) -> RenderableType:
    """Draw one flow: its nested steps and its agents."""
    row = view.flow
    state, style = _state(row)
    parts: list[RenderableType] = [
        Text.assemble(plain(f"{row.name} ({row.scope})", "bold"), "  ", plain(state, style)),
        plain(row.path, "dim"),
    ]
    if row.description:
        parts.append(plain(row.description))
    if view.definition is None:
        return Group(*parts, plain(""), verdicts([row]))
    parts += [plain(f"! {warning}", "yellow") for warning in row.warnings]
    parts += [plain(""), _steps(view.definition), plain(""), _agents(row)]
    return Group(*parts)


def commands(row: FlowRow) -> Iterator[str]:
    """Yield the commands that a flow runs without asking, line by line."""
    yield f"{row.name} in {row.path}"
    yield f"content hash {row.content_hash}"
    yield "It runs these commands without asking:"
    yield from listed(row.commands)


def _sound(row: FlowRow) -> Text:
    return plain(f"✓ {row.path}: {counted(row.steps, 'step')}", "green")


def _problem(problem: FlowProblem) -> Iterator[str]:
    first, *more = str(problem).splitlines()
    yield first
    yield from (f"  {line}" for line in more)


def _steps(flow: FlowDefinition) -> RenderableType:
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(style="dim", justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)  # this one alone is cut
    depth = 0
    for step in flow.steps:
        if step.kind in _ENDING:
            depth -= 1
            continue
        is_else = step.kind is StepKind.ELSE
        indent = "  " * (depth - is_else)
        number = "" if is_else else str(step.index)
        table.add_row(number, f"{indent}{step.kind}", plain(_who(step)), plain(_what(step)))
        depth += step.kind in _OPENING
    return table


def _who(step: FlowStep) -> str:
    slot = step.slot or (step.condition.slot if step.condition else None)
    return f"{slot.agent_type}/{slot.identifier}" if slot else ""


def _what(step: FlowStep) -> str:
    """Return what a step does, in one line."""
    details: list[str] = []
    if step.condition is not None:
        details.append(f"{_asked(step.condition)} {_then(step)}".strip())
    match step.kind:
        case StepKind.START_LOOP:
            rounds = step.max_iterations
            details.append(f"at most {rounds} rounds" if rounds else "until a break or a stop")
        case StepKind.WAIT:
            details.append(f"{step.seconds} s")
        case StepKind.HUMAN:
            details += [step.question, " / ".join(step.options)]
        case StepKind.COMMAND:
            details.append(step.summary or step.command)
        case StepKind.SUBFLOW:
            details.append(", ".join(step.flow_names))
        case StepKind.REINGEST:
            details.append("skipped")
        case StepKind.LLM:
            first, *more = step.messages or ("",)
            details.append(f"{first[:_CUT]}{f' (and {len(more)} more)' if more else ''}")
        case _:
            pass
    if step.output_key:
        details.append(f"→ {step.output_key}")
    details = [" ".join(detail.split())[:_CUT] for detail in details if detail]
    return " · ".join([*([step.label] if step.label else []), *details])


def _asked(condition: Condition) -> str:
    if condition.command:
        return f"`{condition.command}` passes?"
    if condition.output_key:
        return f"{condition.output_key} is {condition.equals if condition.equals else 'yes'}?"
    return condition.question


def _then(step: FlowStep) -> str:
    answer = "" if step.kind is StepKind.IF or step.on else "(if the answer is no)"
    return f"{answer} {_EXITS[step.exit]}".strip()


def _agents(row: FlowRow) -> RenderableType:
    """Draw the agent for each agent type, and how to choose another one."""
    lines: list[RenderableType] = []
    for each in row.agents:
        whose = each.agent or f"agent missing: {each.missing}"
        lines.append(plain(f"{each.agent_type}: {whose}", "" if each.agent else "yellow"))
    if any(each.missing for each in row.agents):
        types = [each.agent_type for each in row.agents if each.missing]
        choice = f"--agent {types[0]}=NAME" if len(row.agents) > 1 else "--agent NAME"
        lines.append(plain(f"Choose an agent: treadle flow run {row.name} {choice}", "dim"))
    if not row.is_trusted:
        lines.append(
            plain(f"It runs commands; trust it first: treadle flow trust {row.name}", "yellow")
        )
    return Group(*lines)


def _state(row: FlowRow) -> tuple[str, str]:
    if row.disabled:
        return "broken", "red"
    if row.is_hidden:
        return "hidden", "dim"
    if not row.is_trusted:
        return "not trusted", "yellow"
    return ("agent missing", "yellow") if any(each.missing for each in row.agents) else ("", "")
