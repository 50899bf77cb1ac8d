"""`treadle schedule`: goals and flows that are queued at set times."""

from typing import Annotated, Any

import typer
from rich.console import RenderableType

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.options import Agent, Labels, Model, OfFlow, OnHost, Priority, Template
from cli.core.repositories import AnyRepo, repository_of
from cli.queue import schedule_drawing
from domain.queue.schedules.schedule import ScheduleView

app = typer.Typer(
    name="schedule",
    help="Schedules: goals and flows that are queued at set times.",
    no_args_is_help=True,
)

Times = Annotated[
    str, typer.Option(metavar="TIMES", help='A cron expression like "0 6 * * 1-5", or @daily.')
]
Zone = Annotated[
    str | None, typer.Option(help="Time zone, like Europe/Berlin. Default: this machine's.")
]
Overlaps = Annotated[
    str, typer.Option(help="skip or queue: what to do if the last run has not ended.")
]
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Schedule name; see `treadle schedule list`.")
]


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lowercase letters, digits, dashes.")],
    goal: Annotated[
        str | None, typer.Argument(metavar="GOAL", help="What should be done each time?")
    ] = None,
    cron: Times = "@daily",
    timezone: Zone = None,
    flow: OfFlow = None,
    overlap: Overlaps = "skip",
    repo: AnyRepo = ".",
    agent: Agent = None,
    model: Model = None,
    template: Template = None,
    priority: Priority = 3,
    host: OnHost = "",
    label: Labels = None,
    as_json: Json = False,
) -> None:
    """Add a schedule, and show its next run."""
    if bool(goal) is bool(flow):
        raise CommandError("give either a GOAL or --flow NAME")
    repository = repository_of(repo)
    item: dict[str, Any] = {"kind": "thread", "goal": goal, "repository": repository}
    if flow:
        item = {"kind": "flow", "flow": flow, "working_folder": repository}
    item |= {"agent": agent, "model": model, "template": template, "priority": priority}
    item |= {"host": host or None, "labels": label}
    body = {
        "name": name,
        "cron": cron,
        "timezone": timezone,
        "overlap": overlap,
        "item": {key: value for key, value in item.items() if value is not None},
    }
    _print(connect().post("/v1/schedules", body), as_json=as_json)


@app.command(name="list")
def list_(as_json: Json = False) -> None:
    """List the schedules with their next runs."""
    rows = connect().get("/v1/schedules")
    emit(rows, _draw_list, as_json=as_json)


def _draw_list(rows: dict[str, Any]) -> RenderableType:
    return schedule_drawing.listing([ScheduleView.model_validate(r) for r in rows["schedules"]])


@app.command()
def show(name: Name, as_json: Json = False) -> None:
    """Show a schedule, its next runs and the result of the last one."""
    _print(connect().get(path_of("schedules", name)), as_json=as_json)


@app.command()
def run(name: Name, as_json: Json = False) -> None:
    """Run a schedule now, in addition to its times."""
    result = connect().post(path_of("schedules", name, "run"), {})
    emit(result, _say_run, as_json=as_json)


def _say_run(result: dict[str, Any]) -> None:
    say(result["message"])
    say("See its progress: treadle queue", style="dim")


@app.command()
def pause(name: Name, as_json: Json = False) -> None:
    """Pause a schedule."""
    _print(connect().post(path_of("schedules", name, "pause"), {}), as_json=as_json)


@app.command()
def resume(name: Name, as_json: Json = False) -> None:
    """Resume a schedule; missed runs are not made up for."""
    _print(connect().post(path_of("schedules", name, "resume"), {}), as_json=as_json)


@app.command()
def delete(name: Name) -> None:
    """Delete a schedule; its queued entries stay."""
    connect().delete(path_of("schedules", name), {})
    say(f"Deleted schedule {name}.")


def _print(row: dict[str, Any], *, as_json: bool) -> None:
    emit(row, lambda row: schedule_drawing.page(ScheduleView.model_validate(row)), as_json=as_json)
