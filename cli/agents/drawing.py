"""Agents as they are drawn on a terminal."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain, quoted
from cli.core.tables import table_of
from domain.agents.checks import Capabilities, CheckResult
from domain.agents.profiles import Scope
from domain.agents.status import AgentDetails, AgentStatus, LoginState
from domain.reading.report.records import AgentRecord

_LOGIN_STYLES = {LoginState.YES: "green", LoginState.NO: "red"}
_SHORT = {"embedded_context": "context", "mcp_http": "http", "mcp_sse": "sse"}
_NAMES = 12
"""How many names of one kind are listed."""


def listing(statuses: list[AgentStatus]) -> RenderableType:
    """Draw agents as a table, and below it what is missing, with the command that fixes it."""
    headings = ("agent", "from", "installed", "logged in", "offers")
    table = table_of(*headings, folded=headings)
    for each in statuses:
        name = f"{each.name} *" if each.is_default else each.name
        style = "dim" if each.is_hidden else ""
        cells = (Text("broken", style="red"),) if each.problem else _cells(each)
        table.add_row(plain(name, style), plain(each.scope, style), *cells)
    parts: list[RenderableType] = [table]
    wanting = [each for each in statuses if each.missing]
    if wanting:
        parts += [plain(""), _wanting(wanting)]
    if any(each.is_hidden for each in statuses):
        parts.append(plain("Dimmed: another agent known by that name takes precedence.", "dim"))
    return Group(*parts)


def records(found: Sequence[AgentRecord]) -> RenderableType:
    """Draw how agents did in this repository: of all kinds of work, by agent and model."""
    table = table_of("in this repository", "first verification", folded=["first verification"])
    for one in found:
        if not one.kind:
            table.add_row(plain(f"{one.agent} {one.model}".strip()), plain(one.words))
    return Group(plain(""), table)


def page(details: AgentDetails) -> RenderableType:
    """Draw one agent: its command, its access and its status."""
    status = details.status
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    rows = {
        "command": " ".join(details.command),
        "package": details.package,
        "program": status.program,
        "version": status.version,
        "logged in": _login(status).plain,
        "offers": _offers(status).plain,
        "variables": _joined(details.environment),
        "sets": _joined(details.sets),
        "writes files": _joined(details.files),
        "modes": _joined(f"{role}: {mode}" for role, mode in details.modes.items()),
        "options": _joined(f"{name}: {value}" for name, value in details.options.items()),
        "served": _joined(details.client),
        "own folders": _joined(f"~/{each}" for each in details.own_folders),
        "connects to": _joined(str(port) for port in details.connect),
        "last try": _tried(status.tried),
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, quoted(value))
    parts: list[RenderableType] = [
        Text.assemble(
            plain(status.name, "bold"),
            plain(f"  {status.title}" if status.title else ""),
            plain(f"  ({status.scope})", "dim"),
        ),
        plain(status.path, "dim"),
    ]
    if status.scope is Scope.REPOSITORY:
        parts.append(plain(f"content hash {status.content_hash}", "dim"))
    parts += [table] if not status.problem else []
    parts += [_wanting([status])] if status.missing else []
    return Group(*parts)


def ending(result: CheckResult) -> Iterator[str]:
    """Yield the result of a check and its cost."""
    seconds = f"{result.duration_ms / 1000:.1f} s"
    if not result.is_well:
        yield f"Failed after {seconds}: {result.failure}"
        return
    parts = [f"It works ({result.version})" if result.version else "It works", seconds]
    usage = result.usage
    if usage is not None:
        cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
        parts.append(f"{usage.input_tokens:,} tokens in{cached}, {usage.output_tokens:,} out")
        is_priced = usage.cost is not None
        parts += [f"{usage.cost:.4f} {usage.currency}".rstrip()] if is_priced else []
    elif result.kind == "try":
        parts.append("cost not reported")
    yield ", ".join(parts)


def _cells(each: AgentStatus) -> tuple[Text, Text, Text]:
    if each.is_installed is None:
        installed = Text("on another host", style="dim")
    elif each.is_installed:
        installed = plain(each.version or "yes", "green")
    else:
        installed = Text("no", style="red")
    return installed, _login(each), _offers(each)


def _login(each: AgentStatus) -> Text:
    by = f" ({each.login_by})" if each.login is LoginState.YES and each.login_by else ""
    return plain(f"{each.login}{by}", _LOGIN_STYLES.get(each.login, "dim"))


def _offers(each: AgentStatus) -> Text:
    if each.seen is None:
        return plain("not inspected yet" if each.is_installed else "", "dim")
    capabilities: Capabilities = each.seen.capabilities
    offered = [_SHORT.get(name, name) for name, has in capabilities.model_dump().items() if has]
    return plain(" ".join(offered))


def _wanting(statuses: list[AgentStatus]) -> RenderableType:
    """Draw what is missing, one line each, so that a long reason does not hide other commands."""
    lines: list[RenderableType] = []
    absent = [each.name for each in statuses if _is_only_absent(each)]
    if len(absent) > 1:
        what = plain(f"not installed: {', '.join(absent)}. ")
        lines.append(Text.assemble(what, plain("treadle agents install NAME", "bold")))
    for each in statuses:
        if len(absent) > 1 and each.name in absent:
            continue
        for missing in each.missing:
            mark = plain("✗ ", "red") if missing.is_in_the_way else plain("! ", "yellow")
            what = plain(f"{each.name}: {missing.what}. ")
            lines.append(Text.assemble(mark, what, plain(missing.fix, "bold")))
    return Group(*lines)


def _is_only_absent(each: AgentStatus) -> bool:
    """Tell whether an agent only has to be installed."""
    lacks = [missing.fix for missing in each.missing if missing.is_in_the_way]
    return len(each.missing) == 1 and lacks == [f"treadle agents install {each.name}"]


def _tried(result: CheckResult | None) -> str:
    if result is None or result.at is None:
        return ""
    how = "answered" if result.is_well else "failed"
    return f"{how} on {result.at:%Y-%m-%d %H:%M}"


def _joined(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - _NAMES} more" if len(found) > _NAMES else ""
    return ", ".join(found[:_NAMES]) + more
