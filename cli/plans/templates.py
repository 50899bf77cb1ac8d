"""`treadle template`: list, show, check, create and trust plan templates."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.folders import folder_of
from cli.core.options import Repo
from cli.core.trust import TrustHash, confirm_trust
from cli.plans import template_drawing
from domain.plans.templates.views import FoundTemplate, TemplateView

app = typer.Typer(
    name="template",
    help="Plan templates: the conventions that every plan of a project starts from.",
    no_args_is_help=True,
)

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="Template name, optionally with its scope, like user:default."
    ),
]
OptionalName = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Template name, like user:default. Default: all."),
]


@app.command(name="list")
def list_(repo: Repo = Path(), as_json: Json = False) -> None:
    """List the templates, including broken ones with their errors."""
    found = _found(connect(), repo)
    emit({"templates": found}, lambda _: template_drawing.listing(found), as_json=as_json)


@app.command()
def show(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show a template and what it does without asking."""
    view = view_of(connect(), name, repo)
    emit(view, template_drawing.page, as_json=as_json)


@app.command()
def check(name: OptionalName = None, repo: Repo = Path(), as_json: Json = False) -> None:
    """Check one template, by name or file, or all; exits with 1 if one is broken."""
    checked = _found(connect(), repo)
    if name is not None:
        file = folder_of(Path(name))
        checked = [each for each in checked if _is_called(each, name) or each.path == file]
        if not checked:
            raise CommandError(f"no template {name!r}; list them with `treadle template list`")
    emit({"templates": checked}, lambda _: template_drawing.verdicts(checked), as_json=as_json)
    if any(each.problem for each in checked):
        raise typer.Exit(1)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lowercase letters, digits, dashes.")],
    repo: Repo = Path(),
    is_mine: Annotated[
        bool,
        typer.Option("--mine", help="Create it in your configuration, for all your repositories."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Create a commented template to start from; existing ones are never replaced."""
    folder = None if is_mine else folder_of(repo)
    body = {"command_id": None, "name": name, "repository": folder}
    made = FoundTemplate.model_validate(connect().post("/v1/templates", body))
    emit(made, lambda made: _say_made(name, made), as_json=as_json)


def _say_made(name: str, made: FoundTemplate) -> None:
    say(f"Wrote {made.path}")
    say(
        f"Edit it, then: treadle template check {name}; use it: treadle plan --template {name} GOAL"
    )


@app.command()
def trust(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Template name, like repo:default.")
    ] = "default",
    repo: Repo = Path(),
    content: TrustHash = None,
    as_json: Json = False,
) -> None:
    """Review what a template does without asking, and trust it."""
    client, what = connect(), "trusted"
    if content is not None:
        trusted = _post_trust(client, name, repo, content)
    else:
        view = view_of(client, name, repo)
        trusted = ask_trust(client, view, repo) if not view.found.is_trusted else view.found
        what = "already trusted" if view.found.is_trusted else what
    emit(trusted, lambda row: say(f"{what}: {row.label} in {row.path}"), as_json=as_json)


def view_of(client: Client, name: str, repo: Path) -> TemplateView:
    """Read a template; fails as `Client.get` does."""
    found = client.get(path_of("templates", name), repository=folder_of(repo))
    return TemplateView.model_validate(found)


def ask_trust(client: Client, view: TemplateView, repo: Path) -> FoundTemplate:
    """Show at the terminal what a template does, and trust exactly that once it is confirmed.

    Raises:
        CommandError: It is broken, the answer was no, or nobody is there to ask.
    """
    if view.found.problem is not None:
        raise CommandError(f"{view.found.path}: {view.found.problem.message}")
    for line in template_drawing.acts(view.found):
        say(line)
    name, content = view.found.choice, view.found.content_hash
    instead = "; choose another one, like builtin:default"
    confirm_trust(f"treadle template trust {name}", content, instead)
    return _post_trust(client, name, repo, content)


def _post_trust(client: Client, name: str, repo: Path, content_hash: str) -> FoundTemplate:
    # trust is not a command: the hash makes it idempotent
    body = {"command_id": None, "template": name, "repository": folder_of(repo)}
    answer = client.post(path_of("templates", "trust"), {**body, "content_hash": content_hash})
    return FoundTemplate.model_validate(answer)


def _found(client: Client, repo: Path) -> list[FoundTemplate]:
    rows = client.get("/v1/templates", repository=folder_of(repo))["templates"]
    return [FoundTemplate.model_validate(row) for row in rows]


def _is_called(found: FoundTemplate, name: str) -> bool:
    wanted = name.lower()
    return wanted in {found.choice, found.choice.partition(":")[2]}
