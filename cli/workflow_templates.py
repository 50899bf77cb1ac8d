"""`treadle workflow`: sets of goals that belong together, and starting one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli import workflow_pages
from cli.client import Client, CommandError, path_of
from cli.console import Json, load_settings, output, print_json, say
from cli.folders import whole
from domain.queue.workflow_templates.template import FoundWorkflow

app = typer.Typer(
    help="Workflow templates: goals that belong together, put into the queue at once."
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="As `treadle workflow list` has it.")]
Repo = Annotated[Path, typer.Option(help="A folder of the repository.")]


@app.command(name="list")
def list_(repo: Repo = Path(), as_json: Json = False) -> None:
    """List the workflow templates that can be started, and broken ones with their line."""
    rows = Client(load_settings()).get("/v1/workflow-templates", repository=_folder(repo))
    found = [FoundWorkflow.model_validate(row) for row in rows["workflow_templates"]]
    if as_json:
        print_json(rows)
    else:
        output.print(workflow_pages.listing(found))


@app.command()
def show(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show the goals of a workflow template, what waits for what, and its parameters."""
    row = Client(load_settings()).get(path_of("workflow-templates", name), repository=_folder(repo))
    if as_json:
        print_json(row)
    else:
        output.print(workflow_pages.page(FoundWorkflow.model_validate(row)))


@app.command()
def start(
    name: Name,
    repo: Repo = Path(),
    given: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter; may be given again."),
    ] = None,
    agent: Annotated[str | None, typer.Option(help="The agent of goals that name none.")] = None,
    model: Annotated[str | None, typer.Option(help="Its model.")] = None,
    as_json: Json = False,
) -> None:
    """Put all goals of a workflow template into the queue, or none where one can't be."""
    body: dict[str, Any] = {
        "repository": _folder(repo),
        "parameters": parameters_of(given or []),
        "agent": agent,
        "model": model,
    }
    started = Client(load_settings()).post(path_of("workflow-templates", name, "start"), body)
    if as_json:
        print_json(started)
        return
    output.print(workflow_pages.started(started["entries"]))
    say("See where they stand: treadle queue")


def parameters_of(given: list[str]) -> dict[str, str]:
    """Return the parameters that options give, as `name=value`.

    Raises:
        CommandError: One has no `=`, or one name comes twice.
    """
    found: dict[str, str] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or name in found:
            raise CommandError(f"--set {each!r}: give each parameter once, as NAME=VALUE")
        found[name] = value
    return found


def _folder(repo: Path) -> str:
    return str(whole(repo))
