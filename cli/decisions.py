"""Approving and rejecting: as commands, and asked for on a terminal."""

from typing import Annotated

import typer
from rich.syntax import Syntax

from cli import render
from cli.client import Client, CommandError, RefusedError, path_of
from cli.console import USAGE, Json, load_settings, messages, plain, print_json, say
from cli.pick import Thread, pick
from domain.approvals import Choice, Subject
from domain.events import JournaledEvent
from domain.events.task import GateDecided
from domain.events.thread import PlanDecided
from domain.plans import Decision
from domain.views import OpenRequest, TaskView, ThreadView

app = typer.Typer()

TaskName = Annotated[str | None, typer.Argument(metavar="TASK", show_default=False)]
Hash = Annotated[
    str | None,
    typer.Option("--hash", help="Only if what waits has this content hash (or its beginning)."),
]


@app.command()
def approve(
    thread: Thread = None, task: TaskName = None, content: Hash = None, as_json: Json = False
) -> None:
    """Approve what waits: the plan, or a task at its gate."""
    _answer(thread, task, content, ("approve", ""), as_json)


@app.command()
def reject(
    feedback: Annotated[str, typer.Option("--feedback", "-f", help="What to do otherwise.")],
    thread: Thread = None,
    task: TaskName = None,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Send what waits back to its agent, with what to do otherwise."""
    _answer(thread, task, content, ("reject", feedback), as_json)


def _answer(
    thread: str | None,
    task: str | None,
    content: str | None,
    choice: tuple[str, str],
    as_json: bool,
) -> None:
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    request = _wanted(view, task)
    if content == "":
        say("--hash is empty: give what `treadle show` tells, or leave it away", style="red")
        raise typer.Exit(USAGE)
    if content is not None and not request.request.content_hash.startswith(content):
        raise CommandError(
            f"what waits has the content hash {request.request.content_hash[:12]}, not {content!r}: "
            f"look at it again with `treadle show {view.thread_id}`"
        )
    said = send(client, view, request, *choice)
    if as_json:
        print_json({"request": request.request.model_dump(), "choice": choice[0], "message": said})
    else:
        say(f"{request.request.title}: {said}")


def _wanted(view: ThreadView, task: str | None) -> OpenRequest:
    found = [r for r in view.requests if task is None or r.task_id == task]
    if len(found) == 1:
        return found[0]
    if not found:
        where = f"task {task!r}" if task else "this thread"
        raise CommandError(
            f"nothing of {where} waits for an approval ({view.thread_id}: {view.status})"
        )
    listed = ", ".join(str(r.task_id or "the plan") for r in found)
    raise CommandError(f"several things wait, name one: {listed}")


def send(
    client: Client,
    view: ThreadView,
    request: OpenRequest,
    choice: str,
    feedback: str = "",
    *,
    note: str = "",
) -> str:
    """Send a decision bound to what was shown; returns the answer's words.

    `note` says how the person decided where it was not by looking.
    """
    body = {
        "request_id": request.request.request_id,
        "content_hash": request.request.content_hash,
        "choice": Choice(choice),
        "feedback": feedback,
        "note": note,
    }
    return client.post(path_of("threads", view.thread_id, "approvals"), body)["message"]


def ask(client: Client, view: ThreadView, request: OpenRequest) -> bool:
    """Show a request on the terminal and take the person's answer; False when they leave it open."""
    task = _task_of(view, request)
    messages.rule(style="yellow")
    if request.request.subject is Subject.PLAN:
        proposed = next(p for p in view.plans if p.request.request_id == request.request.request_id)
        messages.print(render.plan(proposed))
    elif task is not None:
        messages.print(render.gate(task))
    choices = "approve (a), reject (r), leave it open (l)" + (", show the diff (d)" if task else "")
    while True:
        answer = messages.input(f"[bold]{choices}? [/]").strip().lower()
        if answer in {"a", "approve"}:
            return _sent(client, view, request, "approve")
        if answer in {"r", "reject"}:
            feedback = messages.input("What shall be done otherwise? ").strip()
            return _sent(client, view, request, "reject", feedback)
        if answer in {"d", "diff"} and task is not None:
            messages.print(diff(client, view.thread_id, task.task_id))
        if answer in {"l", "leave", "q"}:
            return False


def ask_decision(client: Client, view: ThreadView, decision: Decision) -> None:
    """Show a decision of the plan on the terminal and take the person's choice, if they make one."""
    messages.rule(style="yellow")
    messages.print(plain(decision.question, "bold"))
    for number, option in enumerate(decision.options, 1):
        messages.print(plain(f"  {number}  {option.label}  {option.description}"))
    several = ", several with commas" if decision.multi_select else ""
    while answer := messages.input(f"[bold]number{several}, nothing to leave it open: [/]").strip():
        numbers = [int(part) for part in answer.replace(",", " ").split() if part.isdigit()]
        labels = [o.label for n, o in enumerate(decision.options, 1) if n in numbers]
        if labels:
            path = path_of("threads", view.thread_id, "decisions", decision.id)
            try:
                say(client.post(path, {"selections": labels})["message"])
            except RefusedError as error:
                say(str(error), style="red")
            return


def _sent(
    client: Client, view: ThreadView, request: OpenRequest, choice: str, feedback: str = ""
) -> bool:
    if decided := _decided_elsewhere(client, view, request):
        say(decided, style="yellow")
        return True
    try:
        say(send(client, view, request, choice, feedback))
    except RefusedError as error:
        say(str(error), style="red")  # decided elsewhere meanwhile, or changed: the view shows it
    return True


def _decided_elsewhere(client: Client, view: ThreadView, request: OpenRequest) -> str:
    """Say how a request was decided since it was shown; nothing while it is open."""
    asked = request.request
    if asked in [each.request for each in client.thread(view.thread_id).requests]:
        return ""
    after, path = view.position, path_of("threads", view.thread_id, "events")
    while (page := client.get(path, after=after))["events"]:
        after = page["after"]
        for row in page["events"]:
            body = JournaledEvent.model_validate(row).event.body
            if (
                isinstance(body, PlanDecided | GateDecided)
                and body.outcome.request_id == asked.request_id
            ):
                words = f": {body.outcome.feedback}" if body.outcome.feedback else ""
                return (
                    f"Your answer was not sent. {asked.title} was decided meanwhile: "
                    f"{body.outcome.choice} by {body.outcome.by}{words}"
                )
    return f"Your answer was not sent: {asked.title} waits no longer"


def diff(client: Client, thread_id: str, task_id: str) -> Syntax:
    """Return a task's diff, coloured."""
    patch = client.text(path_of("threads", thread_id, "tasks", task_id, "diff"))
    return Syntax(plain(patch).plain, "diff", background_color="default")


def _task_of(view: ThreadView, request: OpenRequest) -> TaskView | None:
    return next((task for task in view.tasks if task.task_id == request.task_id), None)
