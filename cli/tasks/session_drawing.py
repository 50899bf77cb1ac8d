"""Sessions as they are drawn on a terminal: agent, role, state and costs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from cli.core.console import plain
from domain.agents.limits.money import CROWDED, OVER_LIMIT
from domain.agents.offers import OfferedOption
from domain.conversations.stats import TaskStats
from domain.core.money import USD, spent_words
from domain.core.text import counted
from domain.reading.views import SessionView, ThreadView

MAX_SHOWN = 200


def drawn(sessions: Iterable[SessionView]) -> RenderableType:
    """Draw sessions, a few lines each."""
    return Group(*(line for session in sessions for line in _lines(session)))


def took(stats: TaskStats) -> str:
    """Return the costs of turns: tokens, calls, money, time; empty if nothing is known."""
    if not (stats.tokens or stats.cached_tokens or stats.tool_calls or stats.costs):
        return ""
    cached = f" ({stats.cached_tokens:,} cached)" if stats.cached_tokens else ""
    tokens = f"{stats.prompt_tokens:,} tokens in{cached}, {stats.completion_tokens:,} out"
    spent = spent_words(stats.money)
    costs = [f"cost {spent}"] if spent else []
    costs += [f"{cost:.2f} {name}".strip() for name, cost in stats.costs.items() if name != USD]
    calls = f"{counted(stats.tool_calls, 'tool call')} ({stats.tool_failures} failed)"
    text = f"{tokens} (last calls only)" if stats.is_partial else tokens
    return ", ".join((text, *costs, calls, f"{stats.duration_seconds:.0f} s of agent time"))


def at_work(view: ThreadView) -> Iterator[str]:
    """Yield what each working session of a thread is doing, one line each."""
    for session in (session for session in view.sessions if session.is_working):
        name = session.session_id.rpartition("/")[2]
        agent = " ".join(filter(None, (session.agent, session.model)))
        yield f"{name} ({session.role}, {agent}) {_doing(view, session)}"


def _doing(view: ThreadView, session: SessionView) -> str:
    """Return what a session's turn is doing, or what it is waiting for."""
    if session.waits_until is None:
        worries = "".join(f"; {concern.message}" for concern in session.concerns)
        return f"working, {counted(session.tool_calls, 'tool call')}{worries}"
    number = session.session_id.rpartition("-")[2]
    why = f": {session.waits_for}" if session.waits_for else ""
    if session.is_over_limit or session.is_crowded:
        return f"waiting for {_held_by(session)}{why}"
    return (
        f"waiting for its provider until {session.waits_until:%Y-%m-%d %H:%M} UTC{why}; "
        f"continue now: treadle skip-wait {view.thread_id} {number}"
    )


def _held_by(session: SessionView) -> str:
    if session.is_over_limit:
        return OVER_LIMIT
    return CROWDED if session.is_crowded else "its provider"


def _lines(session: SessionView) -> Iterator[Text]:
    model = f" ({session.model})" if session.model else ""
    name = session.session_id.rsplit("/", 1)[-1]
    kept = ", archived" if session.is_archived else ""
    doing = f", waiting for {_held_by(session)}" if session.waits_until else ", working"
    busy = doing if session.is_working else kept
    style = "dim" if kept else ""
    yield plain(
        f"  {name}: {session.role}, {session.agent}{model}, {counted(session.turns, 'turn')}{busy}",
        style,
    )
    if session.is_archived:
        return
    options = ", ".join(f"{option} {value}" for option, value in session.options.items())
    agent = "; ".join(filter(None, (session.version, options)))
    worries = "; ".join(concern.message for concern in session.concerns)
    sandbox = session.sandbox and f"sandbox: {session.sandbox}"
    changed = f"changed: {', '.join(session.files)}" if session.files else ""
    more = (worries, agent, sandbox, changed, took(session.stats), *_parts(session))
    yield from (plain(f"    {text[:MAX_SHOWN]}", "dim") for text in more if text)


def _parts(session: SessionView) -> Iterator[str]:
    """Yield the costs of each of several agents, and of the running turn."""
    if len(session.by_agent) > 1:
        for agent, stats in session.by_agent.items():
            yield f"{agent}: {took(stats) or f'{stats.duration_seconds:.0f} s'}"
    if so_far := took(session.so_far):
        yield f"this turn so far: {so_far}"


def offers(session: Mapping[str, Any]) -> RenderableType:
    """Draw the options of a session's agent with their values, and its commands."""
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
