"""`treadle flow` for runs: run, show, stop, resume, answer, archive, delete."""

import secrets
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.core.client import Client, connect, path_of
from cli.core.confirmation import Hash
from cli.core.console import Json, emit, output, say
from cli.core.errors import CommandError, RefusedError
from cli.core.host_files import files_of
from cli.core.numbers import MAX_NUMBER
from cli.core.options import Detach, Follow, Labels, OnHost, Queue, given
from cli.core.repositories import repository_of
from cli.flows import run_drawing
from cli.flows.files import app, ask_trust, flow_view
from cli.flows.watch import picked, send_answer, view_of, watch
from cli.recipes import recipes
from cli.transcript.printing import print_events
from domain.core.remote_repositories import is_remote
from domain.reading.flow_runs import FlowRunView

Run = Annotated[
    str | None,
    typer.Argument(metavar="RUN", help="Run id, like flow-review-1. Default: the newest."),
]
Place = Annotated[
    str,
    typer.Option(
        "--folder",
        "--repo",
        metavar="FOLDER|URL[@REF]",
        help="Folder of the repository to work in, or its URL with a branch, tag or commit.",
    ),
]
Named = Annotated[str, typer.Argument(metavar="RUN", help="Run id, like flow-review-1.")]


@app.command()
def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Flow name; see `treadle flow list`.")
    ],
    folder: Place = ".",
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[TYPE=]NAME[:MODEL]",
            help="The agent for an agent type, or for all other types; repeatable.",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title. Default: `Flow: NAME`.")] = None,
    host: OnHost = "",
    label: Labels = None,
    detach: Detach = False,
    queue: Queue = False,
    as_json: Json = False,
) -> None:
    """Run a flow and watch it; leaving does not stop it."""
    client = connect()
    body: dict[str, Any] = {
        "working_folder": repository_of(folder),
        "custom_title": title,
        "queue": queue,
        "host": host,
        "labels": label or [],
        **agents_of(agent),
    }
    begun = _begun(client, name, body, folder)
    emit(begun, lambda begun: _say_begun(begun, is_left=detach), as_json=as_json)
    if not (detach or queue or as_json):
        watch(client, begun["conversation_id"], 0)


def _say_begun(begun: dict[str, Any], *, is_left: bool) -> None:
    say(f"Run {begun['conversation_id']}", style="bold")
    if begun["status"] == "queued":
        say("Queued; see its progress: treadle queue")
    elif is_left:
        say(f"Running in the background: treadle flow logs {begun['conversation_id']} --follow")


def agents_of(chosen: list[str] | None) -> dict[str, Any]:
    """Return the agents of a request: `coder=codex:gpt-5` for a type, `codex` for all others.

    Raises:
        CommandError: Two are for all others, or one is malformed.
    """
    agents: dict[str, Any] = {}
    default: dict[str, Any] = {}
    for text in chosen or ():
        of_type, sign, choice = text.rpartition("=")
        agent, _, model = choice.partition(":")
        if not agent or (sign and not of_type):
            raise CommandError(
                f"{text!r} is not an agent: write NAME, TYPE=NAME or TYPE=NAME:MODEL"
            )
        if of_type:
            agents[of_type] = {"agent": agent, "model": model or None}
        elif default:
            raise CommandError("only one agent can be the default: write TYPE=NAME for the others")
        else:
            default = {"agent": agent, "model": model or None}
    return {"agents": agents, **default}


def _begun(client: Client, name: str, body: dict[str, Any], repo: str) -> dict[str, Any]:
    """Start a run; what an untrusted flow or recipe runs is shown first, to be trusted."""
    path = path_of("flows", name, "runs")
    trusted: set[str] = set()
    while True:
        try:
            return client.post(path, body)
        except RefusedError as error:
            if is_remote(repo) or error.name not in _UNTRUSTED or error.name in trusted:
                raise
            folder = Path(repo)
            trusted.add(error.name)
            if error.name == "recipe_not_trusted":
                recipes.ask_trust_of(files_of(folder, client=client))
            else:
                ask_trust(client, flow_view(client, name, folder).flow, folder)
        body = {**body, "command_id": secrets.token_hex(8)}


_UNTRUSTED = {"flow_not_trusted", "recipe_not_trusted"}


@app.command()
def runs(
    flow: Annotated[str | None, typer.Option(help="Only runs of this flow.")] = None,
    status: Annotated[str | None, typer.Option(help="running, waiting, stopped, failed …")] = None,
    archived: Annotated[
        bool, typer.Option("--archived", help="List archived runs instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List flow runs, most recently changed first."""
    wanted = given(flow=flow, status=status, archived="true" if archived else None)
    page = connect().get("/v1/flow-runs", **wanted)
    emit(page, lambda page: run_drawing.listing(page["runs"]), as_json=as_json)


@app.command()
def status(run: Run = None, as_json: Json = False) -> None:
    """Show a run: its steps, its position, and what it is waiting for."""
    client = connect()
    emit(view_of(client, picked(client, run)), _print, as_json=as_json)


def _print(view: FlowRunView) -> None:
    output.print(run_drawing.page(view))
    output.print(run_drawing.what_next(view), soft_wrap=True)


@app.command()
def logs(
    run: Run = None,
    follow: Follow = False,
    as_json: Json = False,
) -> None:
    """Print the events of a run: its steps and all its conversations."""
    client = connect()
    run_id = picked(client, run)
    if follow and not as_json:
        watch(client, run_id, 0)
        return
    path = path_of("flow-runs", run_id, "events")
    print_events(client, path, 0, follow=follow, as_json=as_json)


@app.command()
def stop(run: Run = None, as_json: Json = False) -> None:
    """Stop a run; continue it with `treadle flow resume`."""
    _send(run, "stop", {}, as_json=as_json)


@app.command()
def resume(
    run: Run = None,
    at: Annotated[
        int | None,
        typer.Option(
            min=0, max=MAX_NUMBER, help="The step to resume at. Default: where it stopped."
        ),
    ] = None,
    detach: Detach = False,
    as_json: Json = False,
) -> None:
    """Resume a stopped or failed run.

    It uses the flow as it was when the run started.
    """
    client = connect()
    run_id = picked(client, run)
    after = view_of(client, run_id).position
    answer = client.post(path_of("flow-runs", run_id, "resume"), {"step_index": at})
    emit(answer, as_json=as_json)
    if not (detach or as_json):
        watch(client, run_id, after)


@app.command()
def answer(
    run: Named,
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER", help="The label of an option, or text.")
    ],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Answer a question of a run."""
    client = connect()
    answer = send_answer(client, picked(client, run), answer, content)
    emit(answer, as_json=as_json)


@app.command()
def rename(
    run: Named, title: Annotated[str, typer.Argument(metavar="TITLE")], as_json: Json = False
) -> None:
    """Rename a run."""
    _send(run, "rename", {"topic": title}, as_json=as_json)


@app.command()
def archive(run: Named, as_json: Json = False) -> None:
    """Archive a run that has ended or stopped; it stays readable."""
    _send(run, "archive", {}, as_json=as_json)


@app.command()
def unarchive(run: Named, as_json: Json = False) -> None:
    """Unarchive a run."""
    _send(run, "unarchive", {}, as_json=as_json)


@app.command()
def delete(
    run: Named,
    force: Annotated[
        bool,
        typer.Option("--force", help="Stop it first, and delete work that exists nowhere else."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Delete a run with everything in it."""
    client = connect()
    answer = client.delete(path_of("flow-runs", picked(client, run)), {"is_forced": force})
    emit(answer, as_json=as_json)


def _send(run: str | None, verb: str, body: dict[str, Any], *, as_json: bool) -> None:
    client = connect()
    answer = client.post(path_of("flow-runs", picked(client, run), verb), body)
    emit(answer, as_json=as_json)
