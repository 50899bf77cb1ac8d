"""`treadle flow run` and all that is done with runs: look, stop, go on, answer, put away, remove."""

import secrets
from pathlib import Path
from typing import Annotated, Any

import typer

from cli import flow_run_pages
from cli.binding import Hash
from cli.client import Client, CommandError, RefusedError, path_of
from cli.console import Json, load_settings, output, print_json, say
from cli.flow_watching import picked, send_answer, view_of, watch
from cli.flows import app, ask_trust, flow_view
from cli.folders import whole
from cli.numbers import MAX_NUMBER
from cli.transcript import Transcript

Run = Annotated[
    str | None,
    typer.Argument(metavar="RUN", help="Its id, like flow-review-1; the newest unless given."),
]
Named = Annotated[str, typer.Argument(metavar="RUN", help="Its id, like flow-review-1.")]


@app.command()
def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A flow; `treadle flow list` has them.")
    ],
    folder: Annotated[
        Path, typer.Option("--folder", "--repo", help="A folder of the repository it works in.")
    ] = Path(),
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[TYPE=]NAME[:MODEL]",
            help="The agent of an agent type, or of all that name none here; again for more.",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="`Flow: NAME` unless given.")] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Only begin it.")] = False,
    queue: Annotated[
        bool, typer.Option("--queue", help="Have it wait for its place in the queue.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a flow and watch it to its end; leaving does not stop it."""
    client = Client(load_settings())
    body: dict[str, Any] = {
        "working_folder": str(whole(folder)),
        "custom_title": title,
        "queue": queue,
        **agents_of(agent),
    }
    begun = _begun(client, name, body, folder)
    say(f"Run {begun['conversation_id']}", style="bold")
    if begun["status"] == "queued":
        say("It waits for its place: treadle queue")
    elif detach:
        say(f"It works in the background: treadle flow logs {begun['conversation_id']} --follow")
    if as_json:
        print_json(begun)
    if detach or queue or as_json:
        return
    watch(client, begun["conversation_id"], 0)


def agents_of(chosen: list[str] | None) -> dict[str, Any]:
    """Return what a request says of agents: `coder=codex:gpt-5` of a type, `codex` of all others.

    Raises:
        CommandError: Two are for all others, or one names nothing.
    """
    agents: dict[str, Any] = {}
    default: dict[str, Any] = {}
    for text in chosen or ():
        of_type, sign, choice = text.rpartition("=")
        agent, _, model = choice.partition(":")
        if not agent or (sign and not of_type):
            raise CommandError(f"{text!r} names no agent: write NAME, TYPE=NAME or TYPE=NAME:MODEL")
        if of_type:
            agents[of_type] = {"agent": agent, "model": model or None}
        elif default:
            raise CommandError("two agents are for all types: write TYPE=NAME for one of them")
        else:
            default = {"agent": agent, "model": model or None}
    return {"agents": agents, **default}


def _begun(client: Client, name: str, body: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Begin a run; what an untrusted flow would run is shown first, and asked."""
    path = path_of("flows", name, "runs")
    try:
        return client.post(path, body)
    except RefusedError as error:
        if error.name != "flow_not_trusted":
            raise
    ask_trust(client, flow_view(client, name, folder).flow, folder)
    return client.post(path, {**body, "command_id": secrets.token_hex(8)})


@app.command()
def runs(
    flow: Annotated[str | None, typer.Option(help="Only those of this flow.")] = None,
    status: Annotated[str | None, typer.Option(help="running, waiting, stopped, failed …")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Those that were put away.")] = False,
    as_json: Json = False,
) -> None:
    """List runs of flows, the latest changed first."""
    asked = {"flow": flow, "status": status, "archived": "true" if archived else None}
    page = Client(load_settings()).get(
        "/v1/flow-runs", **{name: value for name, value in asked.items() if value is not None}
    )
    if as_json:
        print_json(page)
    else:
        output.print(flow_run_pages.listing(page["runs"]))


@app.command()
def status(run: Run = None, as_json: Json = False) -> None:
    """Show a run: its steps, where it is, what it waits for and how to answer."""
    client = Client(load_settings())
    view = view_of(client, picked(client, run))
    if as_json:
        print_json(view.model_dump(mode="json"))
    else:
        output.print(flow_run_pages.page(view))
        output.print(flow_run_pages.what_next(view), soft_wrap=True)


@app.command()
def logs(
    run: Run = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as it does.")] = False,
    as_json: Json = False,
) -> None:
    """Print what happened in a run: its own steps and all its conversations, in order."""
    client = Client(load_settings())
    run_id = picked(client, run)
    if follow and not as_json:
        watch(client, run_id, 0)
        return
    transcript, after = Transcript(), 0
    while rows := client.get(path_of("flow-runs", run_id, "events"), after=after)["events"]:
        for row in rows:
            after = row["position"]
            if as_json:
                print_json(row)
            elif (line := transcript.draw(row)) is not None:
                output.print(line)


@app.command()
def stop(run: Run = None, as_json: Json = False) -> None:
    """Stop a run where it is; `treadle flow resume` goes on with it."""
    _tell(run, "stop", {}, as_json=as_json)


@app.command()
def resume(
    run: Run = None,
    at: Annotated[
        int | None,
        typer.Option(
            min=0, max=MAX_NUMBER, help="The step to go on at; where it stands unless given."
        ),
    ] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Do not watch it.")] = False,
    as_json: Json = False,
) -> None:
    """Go on with a run that stands still, with the flow as it was when the run began."""
    client = Client(load_settings())
    run_id = picked(client, run)
    after = view_of(client, run_id).position
    answer = client.post(path_of("flow-runs", run_id, "resume"), {"step_index": at})
    if as_json:
        print_json(answer)
        return
    say(answer["message"])
    if not detach:
        watch(client, run_id, after)


@app.command()
def answer(
    run: Named,
    said: Annotated[str, typer.Argument(metavar="ANSWER", help="An option's label, or a text.")],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Answer what a step of a run asks."""
    client = Client(load_settings())
    told = send_answer(client, picked(client, run), said, content)
    if as_json:
        print_json(told)
    else:
        say(told["message"])


@app.command()
def rename(
    run: Named, title: Annotated[str, typer.Argument(metavar="TITLE")], as_json: Json = False
) -> None:
    """Give a run a title of your own."""
    _tell(run, "rename", {"topic": title}, as_json=as_json)


@app.command()
def archive(run: Named, as_json: Json = False) -> None:
    """Put a run that stands still away; it stays readable."""
    _tell(run, "archive", {}, as_json=as_json)


@app.command()
def restore(run: Named, as_json: Json = False) -> None:
    """Put a run back among the others."""
    _tell(run, "unarchive", {}, as_json=as_json)


@app.command()
def delete(
    run: Named,
    force: Annotated[
        bool, typer.Option("--force", help="Stop it first, and remove work that is nowhere else.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove a run with all that it holds."""
    client = Client(load_settings())
    told = client.delete(path_of("flow-runs", picked(client, run)), {"is_forced": force})
    if as_json:
        print_json(told)
    else:
        say(told["message"])


def _tell(run: str | None, verb: str, body: dict[str, Any], *, as_json: bool) -> None:
    client = Client(load_settings())
    told = client.post(path_of("flow-runs", picked(client, run), verb), body)
    if as_json:
        print_json(told)
    else:
        say(told["message"])
