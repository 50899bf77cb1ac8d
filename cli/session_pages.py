"""How a session is shown: who works in it, as what, and what it took."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from cli.console import plain
from domain.offers import OfferedOption
from domain.tasks.stats import TaskStats
from domain.views import SessionView
from domain.wording import counted

MAX_SHOWN = 200


def drawn(sessions: Iterable[SessionView]) -> RenderableType:
    """Draw sessions, a few lines each."""
    return Group(*(line for session in sessions for line in _lines(session)))


def took(stats: TaskStats) -> str:
    """Say what turns took: tokens, calls, money, time; an empty text where nothing is known."""
    if not (stats.tokens or stats.tool_calls or stats.costs):
        return ""
    tokens = f"{stats.prompt_tokens} + {stats.completion_tokens} tokens"
    costs = [f"{amount:.2f} {currency}".strip() for currency, amount in stats.costs.items()]
    calls = f"{counted(stats.tool_calls, 'tool call')} ({stats.tool_failures} failed)"
    told = f"{tokens} (of the last calls only)" if stats.is_partial else tokens
    return ", ".join((told, *costs, calls, f"{stats.duration_seconds:.0f} s of agents' work"))


def _lines(session: SessionView) -> Iterator[Text]:
    model = f" ({session.model})" if session.model else ""
    name = session.session_id.rsplit("/", 1)[-1]
    kept = ", put away" if session.is_archived else ""
    busy = ", at work" if session.is_working else kept
    style = "dim" if kept else ""
    yield plain(
        f"  {name}: {session.role}, {session.agent}{model}, {counted(session.turns, 'turn')}{busy}",
        style,
    )
    if session.is_archived:
        return
    options = ", ".join(f"{option} {value}" for option, value in session.options.items())
    agent = "; ".join(filter(None, (session.version, options)))
    more = (agent, session.sandbox and f"sandbox: {session.sandbox}", took(session.stats))
    yield from (plain(f"    {text[:MAX_SHOWN]}", "dim") for text in more if text)


def offers(session: Mapping[str, Any]) -> RenderableType:
    """Draw what the agent of a session offers, and what each option stands at."""
    name = str(session["session_id"]).rsplit("/", 1)[-1]
    head = plain(f"{name}: {session['version']}", "bold")
    lines = [plain(f"  {_option(raw)}") for raw in session["options"]]
    commands = ", ".join(f"/{command}" for command in session["commands"])
    return Group(head, *lines, *([plain(f"  commands: {commands}", "dim")] if commands else []))


def _option(raw: Mapping[str, Any]) -> str:
    option = OfferedOption.model_validate(raw)
    names = " ".join(dict.fromkeys(filter(None, (option.category, option.option_id))))
    values = " | ".join(value.value for value in option.values) or "true | false"
    return f"{names} = {option.current}   ({values})"
