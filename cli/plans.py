"""`treadle plan` for plans before they run: show, compare, diff, edit, combine, have them reviewed."""

import json
import tempfile
from typing import Annotated, Any

import click
import typer
from rich.console import RenderableType

from cli import plan_pages, render
from cli.client import Client, CommandError, RefusedError, path_of
from cli.console import Json, load_settings, output, plain, print_json, say
from cli.numbers import MAX_NUMBER
from cli.pick import Of, Thread, pick
from domain.plans.changes import PlanChanges
from domain.plans.comparison import Comparison
from domain.reading.views import ThreadView
from domain.threads.planning.state import ProposedPlan

app = typer.Typer()

Revision = Annotated[
    int | None,
    typer.Option("--revision", "-r", min=1, max=MAX_NUMBER, help="The newest unless given."),
]
Agent = Annotated[str | None, typer.Option(help="The agent; the thread's own unless given.")]
Model = Annotated[str | None, typer.Option(help="Its model.")]


@app.command()
def show(thread: Thread = None, revision: Revision = None, as_json: Json = False) -> None:
    """Show a plan as it was proposed, and what critics say of it."""
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    found = plan_of(view, revision)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    output.print(render.plan(found, planner_of(view, found)))
    if found.critiques:
        output.print(plan_pages.critiques(found))


@app.command()
def handoff(thread: Thread = None, revision: Revision = None) -> None:
    """Show the packet that fresh agents get: this text and their own task, nothing else."""
    client = Client(load_settings())
    output.print(plain(plan_of(client.thread(pick(client, thread)), revision).handoff))


@app.command()
def compare(
    revisions: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="REVISION…", min=1, max=MAX_NUMBER, help="Those that wait unless given."
        ),
    ] = None,
    thread: Of = None,
    as_json: Json = False,
) -> None:
    """Compare plans side by side."""
    client = Client(load_settings())
    path = path_of("threads", pick(client, thread), "plans", "compare")
    wanted = {"revisions": ",".join(str(n) for n in revisions)} if revisions else {}
    answer = client.get(path, **wanted)
    if as_json:
        print_json(answer)
    else:
        output.print(plan_pages.comparison(Comparison.model_validate(answer)))


@app.command()
def diff(
    before: Annotated[int, typer.Argument(metavar="REVISION", min=1, max=MAX_NUMBER)],
    after: Annotated[int, typer.Argument(metavar="REVISION", min=1, max=MAX_NUMBER)],
    thread: Of = None,
    as_json: Json = False,
) -> None:
    """Show what changed from one revision to another, per task and field."""
    client = Client(load_settings())
    path = path_of("threads", pick(client, thread), "plans", str(before), "diff", str(after))
    answer = client.get(path)
    if as_json:
        print_json(answer)
    else:
        found = PlanChanges.model_validate(answer["changes"])
        output.print(plan_pages.changes(before, after, found))


@app.command()
def edit(
    thread: Thread = None,
    revision: Revision = None,
    is_handoff: Annotated[
        bool, typer.Option("--handoff", help="Edit the packet for fresh agents instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Change a plan that waits in your editor; that makes a revision of your own."""
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    answer = edited(client, view, plan_of(view, revision), is_handoff=is_handoff)
    if answer is None:
        say("nothing changed")
    elif as_json:
        print_json(answer)
    else:
        say(answer["message"])
        for warning in answer["data"].get("warnings", ()):
            say(f"! {warning}", style="yellow")


@app.command()
def combine(
    revision: Annotated[
        int, typer.Argument(metavar="REVISION", min=1, max=MAX_NUMBER, help="Its planner is asked.")
    ],
    other: Annotated[
        int,
        typer.Argument(metavar="OTHER", min=1, max=MAX_NUMBER, help="Parts of it are taken over."),
    ],
    feedback: Annotated[str, typer.Option("--feedback", "-f", help="Which parts, and how.")],
    thread: Of = None,
    as_json: Json = False,
) -> None:
    """Ask the planner of one plan to take over parts of another one."""
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
    """Have another agent look for what is wrong with a plan; `treadle plan show` has its word."""
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    path = (str(plan_of(view, revision).revision), "critiques")
    _post(view.thread_id, path, {"agent": agent, "model": model}, as_json=as_json)


@app.command()
def rival(
    agent: Annotated[str, typer.Argument(metavar="AGENT")],
    thread: Of = None,
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Have one more agent plan the same goal, beside the others."""
    _post(thread, ("planners",), {"agent": agent, "model": model}, as_json=as_json)


def add_rival(client: Client, thread_id: str, name: str) -> None:
    """Have one more agent plan the goal of a thread; the name may have a model behind a colon."""
    agent, _, model = name.partition(":")
    body = {"agent": agent, "model": model or None}
    say(client.post(path_of("threads", thread_id, "plans", "planners"), body)["message"])


def plan_of(view: ThreadView, revision: int | None) -> ProposedPlan:
    """Return a plan of a thread, its newest unless one is named.

    Raises:
        CommandError: It has none, or none of that number.
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
    """Return the plans that wait, side by side."""
    answer = client.get(path_of("threads", thread_id, "plans", "compare"))
    return plan_pages.comparison(Comparison.model_validate(answer))


def edited(
    client: Client, view: ThreadView, found: ProposedPlan, *, is_handoff: bool = False
) -> dict[str, Any] | None:
    """Open a plan in the person's editor and send what they made of it; None where that is the same.

    Raises:
        CommandError: There is no editor, or what they wrote was refused; it is kept in a file.
    """
    path = path_of("threads", view.thread_id, "plans", str(found.revision), "edits")
    in_json = found.plan.model_dump_json(indent=2, exclude_defaults=True)
    before, extension = (found.handoff, ".md") if is_handoff else (in_json, ".json")
    try:
        text = click.edit(before, extension=extension)
    except click.ClickException as error:
        raise CommandError(
            f"{error.message}; nothing was sent. EDITOR names the editor that is used"
        ) from error
    if text is None or text.strip() == before.strip():
        return None
    try:
        return client.post(path, {"handoff": text} if is_handoff else {"plan": json.loads(text)})
    except ValueError as error:
        _keep(text, extension)
        raise CommandError(f"what you wrote is no JSON: {error}; nothing was sent") from error
    except RefusedError:
        _keep(text, extension)
        raise


def _keep(text: str, extension: str) -> None:
    """Keep what a person wrote and could not send, and say where."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="treadle-edit-", suffix=extension, delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    say(f"what you wrote is kept in {file.name}", style="yellow")


def _post(
    thread: str | None, path: tuple[str, ...], body: dict[str, Any], *, as_json: bool
) -> None:
    client = Client(load_settings())
    thread_id = pick(client, thread)
    answer = client.post(path_of("threads", thread_id, "plans", *path), body)
    if as_json:
        print_json(answer)
    else:
        say(f"{answer['message']}: {answer['data'].get('session_id', '')}")
        say(f"What comes of it: treadle plan show {thread_id}", style="dim")
