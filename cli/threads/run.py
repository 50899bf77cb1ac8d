"""`treadle run` and `treadle attach`: a thread from its first message to the merged branch."""

import secrets
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, messages, say
from cli.core.errors import CommandError, RefusedError
from cli.core.host_files import files_of
from cli.core.numbers import MAX_NUMBER
from cli.core.options import (
    Agent,
    Detach,
    Labels,
    Mode,
    Model,
    OnHost,
    Option,
    Queue,
    Template,
    Workspace,
    options_of,
)
from cli.core.repositories import Also, AnyRepo, repository_of
from cli.core.threads import Thread, connect_to
from cli.core.usd import read_usd
from cli.plans import plans, templates
from cli.queue import entries
from cli.recipes import recipes
from cli.threads import status
from cli.threads.best_of import BestOf, Ends, Judge, best_of_fields
from cli.threads.engines import engine_for
from cli.threads.say import print_answer
from cli.threads.slash import asks_for_plan, check_slash
from cli.threads.watch import Watch
from domain.core.beside import MAX_BESIDE
from domain.core.remote_repositories import is_remote
from domain.core.text import counted
from domain.reading.event_kinds import read_event
from domain.reading.views import ThreadView
from domain.threads.events import ThreadOpened

app = typer.Typer()

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve everything without asking.")]

Parallel = Annotated[
    int | None,
    typer.Option(
        "--parallel", "--max-parallel", min=1, max=100, help="Maximum number of parallel tasks."
    ),
]
Auto = Annotated[
    bool | None,
    typer.Option(
        "--auto/--ask",
        help="Start a plan without warnings immediately, or ask first.",
        show_default=False,
    ),
]
DecisionTimeout = Annotated[
    int | None,
    typer.Option(min=0, max=MAX_NUMBER, help="Seconds before a decision takes its safe default."),
]
OwnTurns = Annotated[
    int | None,
    typer.Option(min=0, max=1000, help="Turns that the agent may take without a message."),
]
MaxUsd = Annotated[
    float | None,
    typer.Option(
        parser=read_usd,
        metavar="USD",
        help="Spending limit: once reached, new turns wait and you are asked.",
    ),
]
PlanFiles = Annotated[
    bool | None,
    typer.Option(
        "--plan-files/--no-plan-files",
        help="Whether agents may write plan files.",
        show_default=False,
    ),
]
Plan = Annotated[bool, typer.Option("--plan", help="Plan the goal at once.")]
Rivals = Annotated[
    list[str] | None,
    typer.Option(
        help="Another agent to propose a plan, as AGENT or AGENT:MODEL; repeatable. Implies --plan."
    ),
]


@app.command()
def run(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What should be done?")],
    repo: AnyRepo = ".",
    also: Also = None,
    agent: Agent = None,
    model: Model = None,
    mode: Mode = None,
    option: Option = None,
    template: Template = None,
    workspace: Workspace = None,
    parallel: Parallel = None,
    auto: Auto = None,
    decision_timeout: DecisionTimeout = None,
    own_turns: OwnTurns = None,
    max_usd: MaxUsd = None,
    rival: Rivals = None,
    best_of: BestOf = None,
    ends: Ends = None,
    judge: Judge = None,
    plan_files: PlanFiles = None,
    host: OnHost = "",
    label: Labels = None,
    plan: Plan = False,
    detach: Detach = False,
    queued: Queue = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Start a thread with its first message; leaving does not stop it.

    It is a chat whose agent can suggest a plan. `--plan`, `/plan GOAL` or `treadle plan` plans at once.
    """
    body = {"agent": agent, "model": model, "template": template, "plan_files": plan_files}
    body |= _for(goal, repo, also, workspace, (host, label)) | {"options": options_of(option, mode)}
    body |= {"planner": _planner(auto, parallel, decision_timeout, own_turns, max_usd)}
    body |= best_of_fields(best_of, ends, judge)
    body |= {"is_planned": plan or queued or bool(rival or best_of) or asks_for_plan(goal)}
    _start(body, rival, _Ways(repo=repo, leaves=detach, waits=queued, is_yes=yes, as_json=as_json))


class _Ways(NamedTuple):
    """Where a thread is started, and whether this command stays with it."""

    repo: str
    leaves: bool
    waits: bool
    is_yes: bool
    as_json: bool


def _start(body: dict[str, Any], rivals: list[str] | None, ways: _Ways) -> None:
    client = engine_for(repository_of(ways.repo), body["agent"])
    if ways.waits:
        return entries.put(client, body, entries.Waits(), as_json=ways.as_json)
    opened, is_chat = _begin(client, body, ways.repo, rivals), not body["is_planned"]
    if ways.leaves:
        return emit(opened, _say_left, as_json=ways.as_json)
    return _stay(client, opened, is_chat=is_chat, is_yes=ways.is_yes, as_json=ways.as_json)


def _for(
    goal: str,
    repo: str,
    also: list[str] | None,
    recipe: Path | None,
    on: tuple[str, list[str] | None],
) -> dict[str, Any]:
    """Return the fields of a request that say what its thread is for, where, and on which host, by its labels."""
    if also and len(also) > MAX_BESIDE:
        raise CommandError(f"--also names at most {MAX_BESIDE} repositories, not {len(also)}")
    others = {"also": [repository_of(one) for one in also]} if also else {}
    where = {"repository": repository_of(repo), "workspace": recipes.text_of(recipe), **others}
    return {"goal": goal, "command_id": secrets.token_hex(8), **where} | {
        "host": on[0],
        "labels": on[1] or [],
    }


def _planner(
    auto: bool | None,
    parallel: int | None,
    decision_timeout: int | None,
    own_turns: int | None,
    max_usd: float | None,
) -> dict[str, bool | int | float | None]:
    return {
        "auto_run": auto,
        "max_parallel_steps": parallel,
        "decision_timeout_seconds": decision_timeout,
        "own_turns": own_turns,
        "max_thread_usd": max_usd,
    }


def _say_left(opened: dict[str, Any]) -> None:
    say(f"Running in the background; watch it with: treadle attach {opened['thread_id']}")


def _begin(
    client: Client, body: dict[str, Any], repo: str, rivals: list[str] | None
) -> dict[str, Any]:
    check_slash(body["goal"])
    opened = _opened(client, body, repo)
    thread_id: str = opened["thread_id"]
    say(f"Thread {thread_id}", style="bold")
    _tell_of_start(client, thread_id)
    _add_rivals(client, thread_id, rivals)
    return opened


def _add_rivals(client: Client, thread_id: str, rivals: list[str] | None) -> None:
    """Ask each rival for a plan; the thread continues without those that are refused."""
    for name in rivals or ():
        try:
            plans.add_rival(client, thread_id, name)
        except RefusedError as error:
            say(f"{name} cannot plan: {error}", style="red")


def _stay(
    client: Client, opened: dict[str, Any], *, is_chat: bool, is_yes: bool, as_json: bool
) -> None:
    if is_chat:
        print_answer(client, opened["thread_id"], opened, after=0, as_json=as_json)
    else:
        _watch(client, opened["thread_id"], is_yes=is_yes, as_json=as_json)


@app.command()
def attach(thread: Thread = None, yes: Yes = False, as_json: Json = False) -> None:
    """Watch a thread and answer what it asks, until it ends or you leave."""
    client, thread_id = connect_to(thread)
    _watch(client, thread_id, is_yes=yes, as_json=as_json)


def _watch(client: Client, thread_id: str, *, is_yes: bool, as_json: bool) -> None:
    try:
        view = Watch(client, thread_id, is_yes=is_yes).run()
    except KeyboardInterrupt:
        say("")
        say(f"Left; the thread continues. Watch it again: treadle attach {thread_id}")
        raise typer.Exit from None
    emit(view, _print_end, as_json=as_json)
    if view.status not in {"completed", "chat"}:
        raise typer.Exit(1)


def _print_end(view: ThreadView) -> None:
    messages.print(status.summary(view))
    if view.status == "failed":
        say(f"Fix it as shown above, or give up: treadle cancel {view.thread_id}", style="red")
    elif view.status == "chat":
        say(f"Reply: treadle say {view.thread_id} TEXT")
    elif view.status == "completed":
        is_by_url = is_remote(view.repository)
        review = f"git -C {view.repository} log --graph {view.branch}"
        say(f"Publish: treadle publish {view.thread_id}" if is_by_url else f"Review: {review}")


def _opened(client: Client, body: dict[str, Any], repo: str) -> dict[str, Any]:
    """Open a thread; what an untrusted template or recipe does is shown first, to be trusted."""
    trusted: set[str] = set()
    while True:
        try:
            return client.post("/v1/threads", body)
        except RefusedError as error:
            if is_remote(repo) or error.name not in _UNTRUSTED or error.name in trusted:
                raise
            trusted.add(error.name)
            _UNTRUSTED[error.name](client, body, Path(repo))
        body = {**body, "command_id": secrets.token_hex(8)}


def _trust_template(client: Client, body: dict[str, Any], repo: Path) -> None:
    files = files_of(repo, client=client)
    templates.ask_trust(files, templates.view_of(files, body["template"] or "default"))


def _trust_recipe(client: Client, body: dict[str, Any], repo: Path) -> None:
    for folder in (repo, *map(Path, body.get("also", ()))):
        recipes.ask_trust_where_needed(files_of(folder, client=client))


_UNTRUSTED = {"template_not_trusted": _trust_template, "recipe_not_trusted": _trust_recipe}


def _tell_of_start(client: Client, thread_id: str) -> None:
    """Warn about what a thread does not start from, like uncommitted changes."""
    for row in client.get(path_of("threads", thread_id, "events"), limit=1)["events"]:
        body = read_event(row).event.body
        if not isinstance(body, ThreadOpened):
            continue
        for warning in body.template.warnings:
            say(f"template {body.template.label}: {warning}", style="yellow")
        if body.facts.uncommitted:
            count = counted(body.facts.uncommitted, "uncommitted change")
            say(f"{count} ignored: work starts from HEAD.", style="yellow")
        for one in body.beside:
            count = counted(one.uncommitted, "uncommitted change")
            ignored = f"; {count} ignored: work starts from HEAD" if one.uncommitted else ""
            say(
                f"with {one.name} ({one.repository}){ignored}", style="yellow" if ignored else "dim"
            )
