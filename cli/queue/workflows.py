"""`treadle workflow`: related goals that are queued together."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.errors import CommandError
from cli.core.folders import folder_of
from cli.core.options import Labels, Model, OnHost, Repo
from cli.core.repositories import AnyRepo, repository_of
from cli.queue import workflow_drawing
from domain.queue.workflow_templates.template import FoundWorkflow

app = typer.Typer(
    name="workflow",
    help="Workflow templates: related goals that are queued together.",
    no_args_is_help=True,
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Template name; see `treadle workflow list`.")
]


@app.command(name="list")
def list_(repo: Repo = Path(), as_json: Json = False) -> None:
    """List the workflow templates, including broken ones with their errors."""
    rows = connect().get("/v1/workflow-templates", repository=folder_of(repo))
    found = [FoundWorkflow.model_validate(row) for row in rows["workflow_templates"]]
    emit(rows, lambda _: workflow_drawing.listing(found), as_json=as_json)


@app.command()
def show(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show the goals of a workflow template, their dependencies, and its parameters."""
    row = connect().get(path_of("workflow-templates", name), repository=folder_of(repo))
    emit(row, lambda row: workflow_drawing.page(FoundWorkflow.model_validate(row)), as_json=as_json)


@app.command()
def start(
    name: Name,
    repo: AnyRepo = ".",
    given: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter; repeatable."),
    ] = None,
    agent: Annotated[str | None, typer.Option(help="The agent of goals that name none.")] = None,
    model: Model = None,
    host: OnHost = "",
    label: Labels = None,
    as_json: Json = False,
) -> None:
    """Queue all goals of a workflow template, or none if one is refused."""
    body: dict[str, Any] = {
        "repository": repository_of(repo),
        "host": host,
        "labels": label or [],
        "parameters": parameters_of(given or []),
        "agent": agent,
        "model": model,
    }
    started = connect().post(path_of("workflow-templates", name, "start"), body)
    emit(started, _print_started, as_json=as_json)


def _print_started(started: dict[str, Any]) -> None:
    output.print(workflow_drawing.started(started["entries"]))
    say("See their progress: treadle queue")


def parameters_of(given: list[str]) -> dict[str, str]:
    """Return the parameters of options like `name=value`.

    Raises:
        CommandError: One has no `=`, or a name is repeated.
    """
    found: dict[str, str] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or name in found:
            raise CommandError(f"--set {each!r}: give each parameter once, as NAME=VALUE")
        found[name] = value
    return found
