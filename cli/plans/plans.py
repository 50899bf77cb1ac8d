"""`treadle plan` for proposed plans: show, compare, diff, edit, combine, critique."""

import json
import tempfile
from typing import Annotated, Any

import click
import typer
from rich.console import Group, RenderableType

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, output, plain, say, whole
from cli.core.errors import CommandError, RefusedError
from cli.core.long_lists import All
from cli.core.numbers import MAX_NUMBER
from cli.core.options import Model
from cli.core.threads import Thread, ThreadName, connect_to
from cli.core.views import connect_and_read, read_thread
from cli.plans import comparison
from cli.plans import drawing as plan_drawing
from domain.plans.changes import PlanChanges
from domain.plans.comparison import Comparison
from domain.reading.views import ThreadView
from domain.threads.planning.state import ProposedPlan

app = typer.Typer()

Revision = Annotated[
    int | None,
    typer.Option("--revision", "-r", min=1, max=MAX_NUMBER, help="Revision. Default: the newest."),
]
Agent = Annotated[str | None, typer.Option(help="The agent. Default: the thread's agent.")]
Number = Annotated[int, typer.Argument(metavar="REVISION", min=1, max=MAX_NUMBER)]


@app.command()
def show(
    thread: Thread = None, revision: Revision = None, is_whole: All = False, as_json: Json = False
) -> None:
    """Show a proposed plan and its critiques; of more than 30 tasks a digest."""
    client, view = connect_and_read(thread)
    found = plan_of(view, revision)
    all_by = "" if is_whole else whole_plan(view, found)
    drawn = (
        plan_drawing.plan(found, planner_of(view, found), all_by=all_by),
        comparison.critiques(found),
    )
    emit(found, lambda _: Group(*drawn, *expected_cost(client, view, found)), as_json=as_json)


def expected_cost(client: Client, view: ThreadView, plan: ProposedPlan) -> list[RenderableType]:
    """Return what a plan will likely cost, and which limits that may pass; a server of before does not say."""
    path = path_of("threads", view.thread_id, "plans", str(plan.revision), "estimate")
    try:
        answer = client.get(path)
    except RefusedError:
        return []
    lines: list[RenderableType] = [plain(f"Expected cost: {answer['words']}", "dim")]
    lines += [plain(f"! This may exceed a limit: {one}", "yellow") for one in answer["beyond"]]
    return lines


def whole_plan(view: ThreadView, plan: ProposedPlan) -> str:
    """Return the command that prints all of a plan."""
    return f"treadle plan show {view.thread_id} --revision {plan.revision} --all"


@app.command()
def handoff(thread: Thread = None, revision: Revision = None) -> None:
    """Show the handoff: all that a new agent gets besides its task."""
    client, thread_id = connect_to(thread)
    output.print(whole(plan_of(read_thread(client, thread_id), revision).handoff))


@app.command()
def compare(
    thread: Thread = None,
    revisions: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="REVISION…",
            min=1,
            max=MAX_NUMBER,
            help="Revisions. Default: all that are waiting.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare plans side by side."""
    client, thread_id = connect_to(thread)
    wanted = {"revisions": ",".join(str(n) for n in revisions)} if revisions else {}
    answer = client.get(path_of("threads", thread_id, "plans", "compare"), **wanted)
    emit(answer, lambda row: comparison.comparison(Comparison.model_validate(row)), as_json=as_json)


@app.command()
def diff(
    thread: ThreadName,
    before: Number,
    after: Number,
    is_whole: All = False,
    as_json: Json = False,
) -> None:
    """Show what changed between two revisions, by task and field; of many changes a digest."""
    client, thread_id = connect_to(thread)
    path = path_of("threads", thread_id, "plans", str(before), "diff", str(after))
    answer = client.get(path)
    all_by = "" if is_whole else f"treadle plan diff {thread_id} {before} {after} --all"
    emit(
        answer,
        lambda row: comparison.changes(
            before, after, PlanChanges.model_validate(row["changes"]), all_by=all_by
        ),
        as_json=as_json,
    )


@app.command()
def edit(
    thread: Thread = None,
    revision: Revision = None,
    is_handoff: Annotated[
        bool, typer.Option("--handoff", help="Edit the handoff instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Edit a waiting plan in your editor; this makes a new revision."""
    client, view = connect_and_read(thread)
    answer = edited(client, view, plan_of(view, revision), is_handoff=is_handoff)
    if answer is None:
        say("No changes.")
        return
    emit(answer, _say_edited, as_json=as_json)


def _say_edited(answer: dict[str, Any]) -> None:
    say(answer["message"])
    for warning in answer["data"].get("warnings", ()):
        say(f"! {warning}", style="yellow")


@app.command()
def combine(
    thread: ThreadName,
    revision: Annotated[
        int,
        typer.Argument(
            metavar="REVISION", min=1, max=MAX_NUMBER, help="The plan whose planner revises it."
        ),
    ],
    other: Annotated[
        int,
        typer.Argument(metavar="OTHER", min=1, max=MAX_NUMBER, help="The plan to take parts from."),
    ],
    feedback: Annotated[
        str, typer.Option("--feedback", "-f", help="Which parts to take, and how.")
    ],
    as_json: Json = False,
) -> None:
    """Ask a planner to take over parts of another plan."""
    body = {"other": other, "feedback": feedback}
    _post(thread, (str(revision), "combinations"), body, as_json=as_json)


@app.command()
def critic(
    thread: Thread = None,
    revision: Revision = None,
    agent: Agent = None,
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Ask another agent to critique a plan; read it with `treadle plan show`."""
    _, view = connect_and_read(thread)
    path = (str(plan_of(view, revision).revision), "critiques")
    _post(view.thread_id, path, {"agent": agent, "model": model}, as_json=as_json)


@app.command()
def rival(
    thread: ThreadName,
    agent: Annotated[str, typer.Argument(metavar="AGENT")],
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Ask another agent to propose a plan for the same goal."""
    _post(thread, ("planners",), {"agent": agent, "model": model}, as_json=as_json)


def add_rival(client: Client, thread_id: str, name: str) -> None:
    """Ask another agent to plan the goal of a thread; `name` is AGENT or AGENT:MODEL."""
    say(
        client.post(path_of("threads", thread_id, "plans", "planners"), planner_named(name))[
            "message"
        ]
    )


def planner_named(name: str) -> dict[str, str | None]:
    """Return a planner as the API takes it; `name` is AGENT or AGENT:MODEL."""
    agent, _, model = name.partition(":")
    return {"agent": agent, "model": model or None}


def plan_of(view: ThreadView, revision: int | None) -> ProposedPlan:
    """Return a plan of a thread, by default its newest.

    Raises:
        CommandError: There is no such plan.
    """
    found = [p for p in view.plans if revision is None or p.revision == revision]
    if not found:
        known = ", ".join(str(p.revision) for p in view.plans) or "none"
        raise CommandError(f"{view.thread_id} has no such plan; revisions: {known}")
    return found[-1]


def planner_of(view: ThreadView, found: ProposedPlan) -> str:
    """Return the agent and model behind a plan."""
    session = next((s for s in view.sessions if s.session_id == found.session_id), None)
    return " ".join(part for part in (session.agent, session.model) if part) if session else ""


def compared(client: Client, thread_id: str) -> RenderableType:
    """Return all waiting plans side by side."""
    answer = client.get(path_of("threads", thread_id, "plans", "compare"))
    return comparison.comparison(Comparison.model_validate(answer))


def edited(
    client: Client, view: ThreadView, found: ProposedPlan, *, is_handoff: bool = False
) -> dict[str, Any] | None:
    """Open a plan in the person's editor and send their changes; None if there are none.

    Raises:
        CommandError: There is no editor, or the changes were refused; they are saved in a file.
    """
    path = path_of("threads", view.thread_id, "plans", str(found.revision), "edits")
    in_json = found.plan.model_dump_json(indent=2, exclude_defaults=True)
    before, extension = (found.handoff, ".md") if is_handoff else (in_json, ".json")
    try:
        text = click.edit(before, extension=extension)
    except click.ClickException as error:
        raise CommandError(
            f"{error.message}; nothing was sent. Set EDITOR to choose an editor"
        ) from error
    if text is None or text.strip() == before.strip():
        return None
    try:
        return client.post(path, {"handoff": text} if is_handoff else {"plan": json.loads(text)})
    except ValueError as error:
        _keep(text, extension)
        raise CommandError(f"not valid JSON: {error}; nothing was sent") from error
    except RefusedError:
        _keep(text, extension)
        raise


def _keep(text: str, extension: str) -> None:
    """Save a text that could not be sent, and say where."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="treadle-edit-", suffix=extension, delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    say(f"Your text is saved in {file.name}", style="yellow")


def _post(
    thread: str | None, path: tuple[str, ...], body: dict[str, Any], *, as_json: bool
) -> None:
    client, thread_id = connect_to(thread)
    answer = client.post(path_of("threads", thread_id, "plans", *path), body)
    emit(answer, lambda _: _say_begun(thread_id, answer), as_json=as_json)


def _say_begun(thread_id: str, answer: dict[str, Any]) -> None:
    say(f"{answer['message']}: {answer['data'].get('session_id', '')}")
    say(f"See the result: treadle plan show {thread_id}", style="dim")
