"""`treadle template`: which plan templates there are, what each does, trust, and a new one."""

from pathlib import Path
from typing import Annotated

import typer

from cli import template_pages
from cli.client import Client, CommandError, path_of
from cli.console import Json, confirmed, load_settings, output, print_json, say
from cli.folders import whole
from domain.plans.templates.views import FoundTemplate, TemplateView

app = typer.Typer(help="Plan templates: the conventions that every plan of a project starts from.")

Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="Its name, or scope and name, like user:default."),
]
OptionalName = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Like user:default; all of them unless given."),
]
Repo = Annotated[Path, typer.Option(help="A folder of the repository whose templates count.")]


@app.command(name="list")
def list_(repo: Repo = Path(), as_json: Json = False) -> None:
    """List the templates that can be chosen, and broken ones with their line."""
    found = _found(Client(load_settings()), repo)
    if as_json:
        print_json({"templates": [each.model_dump(mode="json") for each in found]})
    else:
        output.print(template_pages.listing(found))


@app.command()
def show(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show what a template says, and what it does without asking."""
    view = view_of(Client(load_settings()), name, repo)
    if as_json:
        print_json(view.model_dump(mode="json"))
    else:
        output.print(template_pages.page(view))


@app.command()
def check(name: OptionalName = None, repo: Repo = Path(), as_json: Json = False) -> None:
    """Check one template, by its name or file, or all; a broken one ends this with 1."""
    checked = _found(Client(load_settings()), repo)
    if name is not None:
        file = str(whole(Path(name)))
        checked = [each for each in checked if _is_called(each, name) or each.path == file]
        if not checked:
            raise CommandError(f"there is no template {name!r}: `treadle template list` has them")
    if as_json:
        print_json({"templates": [each.model_dump(mode="json") for each in checked]})
    else:
        output.print(template_pages.verdicts(checked))
    if any(each.problem for each in checked):
        raise typer.Exit(1)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lowercase letters, digits, dashes.")],
    repo: Repo = Path(),
    is_mine: Annotated[
        bool, typer.Option("--mine", help="For all your repositories, in your configuration.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a commented template to begin with; one that is there is never replaced."""
    body = {
        "command_id": None,
        "name": name,
        "repository": None if is_mine else str(whole(repo)),
    }
    made = FoundTemplate.model_validate(Client(load_settings()).post("/v1/templates", body))
    if as_json:
        print_json(made.model_dump(mode="json"))
        return
    say(f"Wrote {made.path}")
    say(f"Edit it, then: treadle template check {name}; use it: treadle run --template {name} GOAL")


@app.command()
def trust(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Like repo:default.")] = "default",
    repo: Repo = Path(),
    content: Annotated[
        str | None,
        typer.Option("--hash", help="Trust it unasked, only if it has this content hash."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a template does without asking, and let it."""
    client = Client(load_settings())
    if content is None:
        view = view_of(client, name, repo)
        needs_trust = not view.found.is_trusted
        trusted = ask_trust(client, view, repo) if needs_trust else view.found
    else:
        needs_trust = True
        trusted = _post_trust(client, name, repo, content)
    if as_json:
        print_json(trusted.model_dump(mode="json"))
    else:
        said = "trusted" if needs_trust else "nothing to ask, it may do what it says"
        say(f"{said}: {trusted.label} in {trusted.path}")


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
    for line in template_pages.acts(view.found):
        say(line)
    try:
        is_trusted = confirmed("Let it do so, as long as its file stays as it is?")
    except typer.Abort:
        raise CommandError(
            "nobody answered, so nothing was trusted. To trust it ahead: "
            f"treadle template trust {view.found.choice} --hash {view.found.content_hash}"
        ) from None
    if not is_trusted:
        raise CommandError("nothing was trusted; another one can be chosen, like builtin:default")
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
