"""Commands that steer a thread: one request each."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli import attachments, talk
from cli.client import Client, CommandError, path_of
from cli.console import Json, load_settings, print_json, say
from cli.numbers import MAX_NUMBER
from cli.pick import Thread, pick
from domain.core.ids import session_stream

app = typer.Typer()

Task = Annotated[str, typer.Argument(metavar="TASK", help="A task's id in its plan.")]


def tell(thread: str | None, *path: str, body: dict[str, Any], as_json: bool) -> None:
    """Send one command to a thread and print the answer."""
    client = Client(load_settings())
    answer = client.post(path_of("threads", pick(client, thread), *path), body)
    if as_json:
        print_json(answer)
    else:
        say(answer["message"])


@app.command()
def pause(thread: Thread = None, as_json: Json = False) -> None:
    """Start no further task; running ones finish."""
    tell(thread, "pause", body={}, as_json=as_json)


@app.command()
def resume(thread: Thread = None, as_json: Json = False) -> None:
    """Start tasks again."""
    tell(thread, "resume", body={}, as_json=as_json)


@app.command()
def cancel(thread: Thread = None, as_json: Json = False) -> None:
    """Cancel the plan for good, or planning: running tasks are aborted, waiting ones cancelled."""
    tell(thread, "cancel", body={}, as_json=as_json)


@app.command(name="abort-all")
def abort_all(thread: Thread = None, as_json: Json = False) -> None:
    """Abort every running task and pause the plan; pending tasks stay pending."""
    tell(thread, "abort-all", body={}, as_json=as_json)


@app.command()
def replan(
    thread: Thread = None,
    goal: Annotated[str | None, typer.Option(help="A new goal; the old one unless given.")] = None,
    as_json: Json = False,
) -> None:
    """Ask the planner for a plan again."""
    tell(thread, "plans", body={"goal": goal}, as_json=as_json)


@app.command()
def abort(
    thread: Annotated[str, typer.Argument(metavar="THREAD")], task: Task, as_json: Json = False
) -> None:
    """Abort one task; those that need it are blocked until it is retried."""
    tell(thread, "tasks", task, "abort", body={}, as_json=as_json)


@app.command()
def retry(
    thread: Annotated[str, typer.Argument(metavar="THREAD")],
    task: Task,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            min=1,
            max=MAX_NUMBER,
            help="Begin with its files of this position of the journal.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a failed, cancelled or blocked task again, with a new session.

    With --at it goes on from its newest checkpoint until then; `treadle checkpoints` lists them.
    """
    tell(thread, "tasks", task, "retry", body={"position": at}, as_json=as_json)


def _session_of(thread: str, task: str, number: int | None) -> dict[str, str]:
    """Return the session of a task that is meant: one that a person opened, by its last number."""
    if number is None:
        return {}
    client = Client(load_settings())
    view = client.get(path_of("threads", pick(client, thread), "tasks", task))
    found = [session["session_id"] for session in view["sessions"] if session["role"] == "chat"]
    meant = [name for name in found if name.endswith(f"-{number}")]
    if not meant:
        known = ", ".join(name.rsplit("-", 1)[-1] for name in found) or "none"
        raise CommandError(f"task {task} has no opened session {number}; it has: {known}")
    return {"session_id": meant[0]}


@app.command(name="say")
def say_(
    thread: Annotated[str, typer.Argument(metavar="THREAD")],
    text: Annotated[str, typer.Argument(metavar="TEXT")],
    task: Annotated[str | None, typer.Option(help="Say it to this task's agent.")] = None,
    session: Annotated[
        int | None,
        typer.Option("--session", "-s", min=1, max=MAX_NUMBER, help="Say it to this session."),
    ] = None,
    attach: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Put a file with it, an image say; again for more."),
    ] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Only queue it.")] = False,
    as_json: Json = False,
) -> None:
    """Say something to an agent and print its answer; a task's takes it with its next turn."""
    client = Client(load_settings())
    body: dict[str, Any] = {"text": text, "attachments": attachments.sent(client, attach or [])}
    if task is not None:
        said = body | _session_of(thread, task, session)
        tell(thread, "tasks", task, "messages", body=said, as_json=as_json)
        return
    view = client.thread(pick(client, thread))
    if session is not None:
        body["session_id"] = session_stream(view.thread_id, session)
    if no_wait:
        tell(view.thread_id, "messages", body=body, as_json=as_json)
        return
    sent = client.post(path_of("threads", view.thread_id, "messages"), body)
    if sent.get("data", {}).get("verb"):
        talk.print_verb(sent, as_json=as_json)
        return
    talk.print_answer(client, view.thread_id, sent, after=view.position, as_json=as_json)
