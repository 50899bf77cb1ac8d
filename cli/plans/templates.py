"""`treadle template`: which plan templates there are, what each does, trust, and a new one."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, confirmed, emit, say
from cli.core.errors import CommandError
from cli.core.folders import whole
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
Repo = Annotated[Path, typer.Option(help="Folder of the repository.")]


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
        file = str(whole(Path(name)))
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
    body = {
        "command_id": None,
        "name": name,
        "repository": None if is_mine else str(whole(repo)),
    }
    made = FoundTemplate.model_validate(connect().post("/v1/templates", body))
    emit(made, lambda made: _say_made(name, made), as_json=as_json)


def _say_made(name: str, made: FoundTemplate) -> None:
    say(f"Wrote {made.path}")
    say(f"Edit it, then: treadle template check {name}; use it: treadle run --template {name} GOAL")


@app.command()
def trust(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Like repo:default.")] = "default",
    repo: Repo = Path(),
    content: Annotated[
        str | None,
        typer.Option(
            "--hash", help="Trust it without confirmation, only if it has this content hash."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Review what a template does without asking, and trust it."""
    client = connect()
    if content is None:
        view = view_of(client, name, repo)
        needs_trust = not view.found.is_trusted
        trusted = ask_trust(client, view, repo) if needs_trust else view.found
    else:
        needs_trust = True
        trusted = _post_trust(client, name, repo, content)
    what = "trusted" if needs_trust else "already trusted"
    emit(trusted, lambda row: say(f"{what}: {row.label} in {row.path}"), as_json=as_json)


def view_of(client: Client, name: str, repo: Path) -> TemplateView:
    """Return a template as it is now."""
    folder = str(whole(repo))
    return TemplateView.model_validate(client.get(path_of("templates", name), repository=folder))


def ask_trust(client: Client, view: TemplateView, repo: Path) -> FoundTemplate:
    """Show on a terminal what a template does, and trust exactly that after a yes.

    Raises:
        CommandError: It is broken, the answer was no, or nobody is there to ask.
    """
    if view.found.problem is not None:
        raise CommandError(f"{view.found.path}: {view.found.problem.message}")
    for line in template_drawing.acts(view.found):
        say(line)
    try:
        is_trusted = confirmed("Trust it until its file changes?")
    except typer.Abort:
        raise CommandError(
            "no answer, so it was not trusted. To trust it in advance: "
            f"treadle template trust {view.found.choice} --hash {view.found.content_hash}"
        ) from None
    if not is_trusted:
        raise CommandError("not trusted; choose another one, like builtin:default")
    return _post_trust(client, view.found.choice, repo, view.found.content_hash)


def _post_trust(client: Client, name: str, repo: Path, content_hash: str) -> FoundTemplate:
    # a yes to what was shown is no command: the hash makes it once
    body = {
        "command_id": None,
        "template": name,
        "repository": str(whole(repo)),
        "content_hash": content_hash,
    }
    return FoundTemplate.model_validate(client.post(path_of("templates", "trust"), body))


def _found(client: Client, repo: Path) -> list[FoundTemplate]:
    folder = str(whole(repo))
    rows = client.get("/v1/templates", repository=folder)["templates"]
    return [FoundTemplate.model_validate(row) for row in rows]


def _is_called(found: FoundTemplate, name: str) -> bool:
    wanted = name.lower()
    return wanted in {found.choice, found.choice.partition(":")[2]}
