"""`treadle workspace`: show, write, try and trust a repository's recipe."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.core.client import path_of
from cli.core.console import Json, emit, output, print_whole, say
from cli.core.errors import CommandError
from cli.core.host_files import FilesOf, HostFiles, files_of
from cli.core.options import Repo
from cli.core.trust import TrustHash, confirm_trust
from domain.recipes.checks import RecipeCheckKind, RecipeCheckResult
from domain.recipes.ports import FoundRecipe, RecipeSource, RecipeView
from domain.recipes.recipe import FILE
from domain.recipes.results import SetUpResult

app = typer.Typer(
    name="workspace",
    help="Workspace recipes: how the workspaces of a repository are set up.",
    no_args_is_help=True,
)

Mine = Annotated[
    bool, typer.Option("--mine", help="Keep it in your configuration, not in the repository.")
]
_PAUSE_SECONDS = 0.5
_MEBIBYTE = 20


@app.command()
def show(repo: Repo = Path(), host: FilesOf = "", as_json: Json = False) -> None:
    """Show the recipe of a repository, or the one that Treadle proposes."""
    files = files_of(repo, host)
    view = view_of(files)
    if view.found is None and not view.problem:
        checked, text = _checked(files, RecipeCheckKind.PROPOSE)
        view = view.model_copy(update={"proposal": checked.proposal, "text": text})
    emit(view, _say_view, as_json=as_json)
    if view.problem:
        raise typer.Exit(1)


@app.command()
def init(
    repo: Repo = Path(), is_mine: Mine = False, host: FilesOf = "", as_json: Json = False
) -> None:
    """Write the recipe that Treadle proposes for a repository, after a review."""
    files = files_of(repo, host)
    view = view_of(files)
    if view.found is not None and not is_mine:
        raise CommandError(f"there is {view.found.path} already: edit it")
    checked, text = _checked(files, RecipeCheckKind.PROPOSE)
    if checked.proposal is None or checked.proposal.is_empty:
        found = "; ".join(checked.proposal.missing if checked.proposal else ())
        why = f" ({found})" if found else ""
        raise CommandError(f"nothing was found to set up{why}: write {FILE} yourself")
    print_whole(text)
    for line in checked.proposal.missing:
        say(line, style="yellow")
    source = RecipeSource.USER if is_mine else RecipeSource.REPO
    body = {"repository": files.folder, "text": text, "source": source}
    kept = FoundRecipe.model_validate(files.post("recipes", **body))
    try_it = f"treadle workspace try{files.options}"
    emit(kept, lambda kept: say(f"Wrote {kept.path}; try it: {try_it}"), as_json=as_json)


@app.command(name="try")
def try_(repo: Repo = Path(), host: FilesOf = "", as_json: Json = False) -> None:
    """Set a workspace up by the repository's recipe, and throw it away."""
    files = files_of(repo, host)
    view = view_of(files)
    if view.problem:
        raise CommandError(view.problem)
    if view.found is not None and not view.found.is_trusted:
        ask_trust(files, view.found)
    checked, _ = _checked(files, RecipeCheckKind.TRY)
    set_up = checked.set_up or SetUpResult(failure=checked.failure)
    emit(set_up, _say_set_up, as_json=as_json)
    if set_up.failure:
        raise typer.Exit(1)


@app.command()
def trust(
    repo: Repo = Path(), content: TrustHash = None, host: FilesOf = "", as_json: Json = False
) -> None:
    """Review what a recipe does without asking, and trust it."""
    files = files_of(repo, host)
    view = view_of(files)
    if view.problem or view.found is None:
        raise CommandError(
            view.problem or f"there is no {FILE}: treadle workspace init{files.options}"
        )
    if content is not None:
        found = _post_trust(files, content)
    else:
        found = view.found if view.found.is_trusted else ask_trust(files, view.found)
    emit(found, lambda found: say(f"trusted: {found.path}"), as_json=as_json)


def view_of(files: HostFiles) -> RecipeView:
    """Read a repository's recipe; fails as `Client.get` does.

    Raises:
        BadPathError: No repository is named.
    """
    _ = files.folder
    return RecipeView.model_validate(files.get("recipes"))


def text_of(file: Path | None) -> str | None:
    """Return the recipe of a file that a person names, None where they name none.

    Raises:
        CommandError: It cannot be read.
    """
    try:
        return None if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error


def ask_trust_of(files: HostFiles) -> FoundRecipe:
    """Show at the terminal what a repository's recipe does, and trust exactly that; fails as `ask_trust`."""
    view = view_of(files)
    if view.found is None:
        raise CommandError(view.problem or "the workspace recipe is gone: try again")
    return ask_trust(files, view.found)


def ask_trust_where_needed(files: HostFiles) -> None:
    """Do as `ask_trust_of` where a repository has a recipe that nobody has trusted as it is."""
    found = view_of(files).found
    if found is not None and found.acts and not found.is_trusted:
        ask_trust(files, found)


def ask_trust(files: HostFiles, found: FoundRecipe) -> FoundRecipe:
    """Show at the terminal what a recipe does, and trust exactly that once it is confirmed.

    Raises:
        CommandError: The answer was no, or nobody is there to ask.
    """
    say(f"{found.path} sets up workspaces. It")
    for line in found.recipe.acts:
        say(f"  {line}")
    confirm_trust(f"treadle workspace trust{files.options}", found.content_hash)
    return _post_trust(files, found.content_hash)


def _post_trust(files: HostFiles, content_hash: str) -> FoundRecipe:
    body = {"repository": files.folder, "content_hash": content_hash}
    return FoundRecipe.model_validate(files.post("recipes", "trust", **body))


def _checked(files: HostFiles, kind: RecipeCheckKind) -> tuple[RecipeCheckResult, str]:
    """Run a check and wait for its end; returns its result and the text of what is proposed."""
    begun = files.check("recipes", "checks", kind, repository=files.folder)
    path = path_of("recipes", "checks", str(begun["number"]))
    while True:
        row: dict[str, Any] = files.client.get(path, repository=files.folder)
        if row["result"] is not None:
            break
        time.sleep(_PAUSE_SECONDS)
    result = RecipeCheckResult.model_validate(row["result"])
    if result.failure:
        raise CommandError(result.failure)
    return result, str(row["text"])


def _say_view(view: RecipeView) -> None:
    if view.problem:
        say(view.problem, style="red")
        return
    if view.found is not None:
        state = "trusted" if view.found.is_trusted else "not trusted yet: treadle workspace trust"
        say(f"{view.found.path} ({state})")
    elif view.proposal is None or view.proposal.is_empty:
        say(f"There is no {FILE}, and nothing was found to set up.")
        return
    else:
        say(f"There is no {FILE}. Treadle proposes this; keep it with `treadle workspace init`:")
    print_whole(view.text)
    for line in view.proposal.missing if view.proposal else ():
        say(line, style="yellow")


def _say_set_up(result: SetUpResult) -> None:
    if result.output:
        say(result.output.rstrip(), style="dim")
    if result.failure:
        say(result.failure, style="red")
        return
    made = f"in {result.duration_ms / 1000:.0f} s" if result.is_made else "before"
    output.print(f"Set up {made}, {result.size_bytes >> _MEBIBYTE} MiB.")
    if result.changed:
        say(f"Changed files of the commit, undone: {', '.join(result.changed)}", style="yellow")
