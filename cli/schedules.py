"""`treadle schedule`: goals and flows that go into the queue by the clock."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli import schedule_pages
from cli.client import Client, CommandError, path_of
from cli.console import Json, load_settings, output, print_json, say
from cli.folders import whole
from domain.queue.schedules.schedule import ScheduleView

app = typer.Typer(help="Schedules: goals and flows that go into the queue by the clock.")

Times = Annotated[
    str,
    typer.Option(metavar="TIMES", help='Like "0 6 * * 1-5", or @daily; docs/how-to/schedules.md.'),
]
Zone = Annotated[str | None, typer.Option(help="Like Europe/Berlin; this machine's unless given.")]
Overlaps = Annotated[str, typer.Option(help="skip or queue: what if the last one is not over.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="As `treadle schedule list` has it.")]


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lowercase letters, digits, dashes.")],
    goal: Annotated[
        str | None, typer.Argument(metavar="GOAL", help="What shall be done each time.")
    ] = None,
    cron: Times = "@daily",
    timezone: Zone = None,
    flow: Annotated[str | None, typer.Option(help="A flow to run instead of a goal.")] = None,
    overlap: Overlaps = "skip",
    repo: Annotated[Path, typer.Option(help="A git repository.")] = Path(),
    agent: Annotated[str | None, typer.Option(help="The agent that works.")] = None,
    model: Annotated[str | None, typer.Option(help="The agent's model.")] = None,
    template: Annotated[str | None, typer.Option(help="The plan template.")] = None,
    priority: Annotated[int, typer.Option(min=1, max=5, help="1 first, 5 last.")] = 3,
    as_json: Json = False,
) -> None:
    """Add a schedule; says when it comes due next."""
    if bool(goal) is bool(flow):
        raise CommandError("give either a GOAL or --flow NAME")
    folder = str(whole(repo))
    item: dict[str, Any] = {"kind": "thread", "goal": goal, "repository": folder}
    if flow:
        item = {"kind": "flow", "flow": flow, "working_folder": folder}
    item |= {"agent": agent, "model": model, "template": template, "priority": priority}
    body = {
        "name": name,
        "cron": cron,
        "timezone": timezone,
        "overlap": overlap,
        "item": {key: value for key, value in item.items() if value is not None},
    }
    _print(Client(load_settings()).post("/v1/schedules", body), as_json=as_json)


@app.command(name="list")
def list_(as_json: Json = False) -> None:
    """List the schedules and when each comes due next."""
    rows = Client(load_settings()).get("/v1/schedules")
    if as_json:
        print_json(rows)
    else:
        views = [ScheduleView.model_validate(row) for row in rows["schedules"]]
        output.print(schedule_pages.listing(views))


@app.command()
def show(name: Name, as_json: Json = False) -> None:
    """Show one schedule, its next times and what came of the last one."""
    _print(Client(load_settings()).get(path_of("schedules", name)), as_json=as_json)


@app.command()
def run(name: Name, as_json: Json = False) -> None:
    """Have a schedule come due now, beside its times."""
    result = Client(load_settings()).post(path_of("schedules", name, "run"), {})
    if as_json:
        print_json(result)
    else:
        say(result["message"])
        say("See where it stands: treadle queue")


@app.command()
def pause(name: Name, as_json: Json = False) -> None:
    """Let a schedule come due no more until it is resumed."""
    _print(Client(load_settings()).post(path_of("schedules", name, "pause"), {}), as_json=as_json)


@app.command()
def resume(name: Name, as_json: Json = False) -> None:
    """Let a schedule come due again; what was missed in the pause is not made up for."""
    _print(Client(load_settings()).post(path_of("schedules", name, "resume"), {}), as_json=as_json)


@app.command()
def remove(name: Name) -> None:
    """Remove a schedule; what it put into the queue stays."""
    Client(load_settings()).delete(path_of("schedules", name), {})
    say(f"{name} is removed.")


def _print(row: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        output.print(schedule_pages.page(ScheduleView.model_validate(row)))
