"""`treadle template`: list, show, check, create and trust plan templates."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.folders import folder_of
from cli.core.host_files import FilesOf, HostFiles, files_of
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
def list_(repo: Repo = Path(), host: FilesOf = "", as_json: Json = False) -> None:
    """List the templates, including broken ones with their errors."""
    found = _found(files_of(repo, host))
    emit({"templates": found}, lambda _: template_drawing.listing(found), as_json=as_json)


@app.command()
def show(name: Name, repo: Repo = Path(), host: FilesOf = "", as_json: Json = False) -> None:
    """Show a template and what it does without asking."""
    view = view_of(files_of(repo, host), name)
    emit(view, template_drawing.page, as_json=as_json)


@app.command()
def check(
    name: OptionalName = None, repo: Repo = Path(), host: FilesOf = "", as_json: Json = False
) -> None:
    """Check one template, by name or file, or all; exits with 1 if one is broken."""
    checked = _found(files_of(repo, host))
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
    host: FilesOf = "",
    as_json: Json = False,
) -> None:
    """Create a commented template to start from; existing ones are never replaced."""
    files = files_of(repo, host)
    folder = None if is_mine else files.folder
    made = FoundTemplate.model_validate(files.post("templates", name=name, repository=folder))
    emit(made, lambda made: _say_made(name, files.options, made), as_json=as_json)


def _say_made(name: str, options: str, made: FoundTemplate) -> None:
    say(f"Wrote {made.path}")
    check, use = f"treadle template check {name}{options}", f"treadle plan --template {name} GOAL"
    say(f"Edit it, then: {check}; use it: {use}")


@app.command()
def trust(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Template name, like repo:default.")
    ] = "default",
    repo: Repo = Path(),
    content: TrustHash = None,
    host: FilesOf = "",
    as_json: Json = False,
) -> None:
    """Review what a template does without asking, and trust it."""
    files, what = files_of(repo, host), "trusted"
    if content is not None:
        trusted = _post_trust(files, name, content)
    else:
        view = view_of(files, name)
        trusted = ask_trust(files, view) if not view.found.is_trusted else view.found
        what = "already trusted" if view.found.is_trusted else what
    emit(trusted, lambda row: say(f"{what}: {row.label} in {row.path}"), as_json=as_json)


def view_of(files: HostFiles, name: str) -> TemplateView:
    """Read a template; fails as `Client.get` does."""
    return TemplateView.model_validate(files.get("templates", name))


def ask_trust(files: HostFiles, view: TemplateView) -> FoundTemplate:
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
    confirm_trust(f"treadle template trust {name}{files.options}", content, instead)
    return _post_trust(files, name, content)


def _post_trust(files: HostFiles, name: str, content_hash: str) -> FoundTemplate:
    body = {"template": name, "repository": files.folder, "content_hash": content_hash}
    return FoundTemplate.model_validate(files.post("templates", "trust", **body))


def _found(files: HostFiles) -> list[FoundTemplate]:
    rows = files.get("templates")["templates"]
    return [FoundTemplate.model_validate(row) for row in rows]


def _is_called(found: FoundTemplate, name: str) -> bool:
    wanted = name.lower()
    return wanted in {found.choice, found.choice.partition(":")[2]}
