"""`treadle flow`: which flows there are, what each says, whether a file is sound, trust."""

from pathlib import Path
from typing import Annotated

import typer

from cli import flow_pages
from cli.client import Client, CommandError, UnreachableError, path_of
from cli.console import Json, confirmed, load_settings, output, print_json, say
from cli.folders import whole
from domain.agents.profiles import Scope
from domain.flows.files import MAX_BYTES, read_flow_file
from domain.flows.reading import UnseenTexts
from domain.flows.views import FlowRow, FlowView, FoundFlow

app = typer.Typer(help="Flows: sequences of steps from a file, with loops, done by agents.")

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Its name, or scope and name, like user:hello.")
]
Repo = Annotated[Path, typer.Option(help="A folder of the repository whose flows count.")]


@app.command(name="list")
def list_(repo: Repo = Path(), as_json: Json = False) -> None:
    """List the flows that can be run, and broken ones with what is wrong."""
    rows = _rows(Client(load_settings()), repo)
    if as_json:
        print_json({"flows": [row.model_dump(mode="json") for row in rows]})
        return
    output.print(flow_pages.listing(rows))
    say("Look at one: treadle flow show NAME; run it: treadle flow run NAME", style="dim")


@app.command()
def show(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show one flow: its steps with their numbers, and who would do them."""
    view = flow_view(Client(load_settings()), name, repo)
    if as_json:
        print_json(view.model_dump(mode="json"))
    else:
        output.print(flow_pages.page(view))


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="Flows or files; all flows unless given."),
    ] = None,
    repo: Repo = Path(),
    as_json: Json = False,
) -> None:
    """Check flows, by name or file; a broken one ends this with 1. Nothing runs.

    A file needs no engine.
    """
    client = Client(load_settings())
    rows = [_checked(client, name, repo) for name in names] if names else _rows(client, repo)
    if as_json:
        print_json({"flows": [row.model_dump(mode="json") for row in rows]})
    else:
        output.print(flow_pages.verdicts(rows))
    if any(row.disabled for row in rows):
        raise typer.Exit(1)


@app.command()
def trust(
    name: Name,
    repo: Repo = Path(),
    content: Annotated[
        str | None,
        typer.Option("--hash", help="Trust it unasked, only if it has this content hash."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a repository's flow runs, and let it."""
    client = Client(load_settings())
    if content is None:
        row = flow_view(client, name, repo).flow
        needs_trust = row.disabled or not row.is_trusted
        trusted = ask_trust(client, row, repo) if needs_trust else row
    else:
        needs_trust = True
        trusted = _post_trust(client, name, repo, content)
    if as_json:
        print_json(trusted.model_dump(mode="json"))
    else:
        said = "trusted" if needs_trust else "nothing to ask, it may be run"
        say(f"{said}: {trusted.name} in {trusted.path}")


def flow_view(client: Client, name: str, repo: Path) -> FlowView:
    """Return a flow as its file is now."""
    return FlowView.model_validate(client.get(path_of("flows", name), repository=_folder(repo)))


def ask_trust(client: Client, row: FlowRow, repo: Path) -> FlowRow:
    """Show on a terminal what a flow runs, and trust exactly that after a yes.

    Raises:
        CommandError: It is broken, the answer was no, or nobody is there to ask.
    """
    if row.disabled:
        raise CommandError(f"{row.path}: {row.error}")
    for line in flow_pages.commands(row):
        say(line)
    ahead = f"treadle flow trust {row.scope}:{row.name} --hash {row.content_hash}"
    try:
        is_trusted = confirmed("Let it run these, as long as its file stays so?")
    except typer.Abort:
        say("")  # ends the line of the question
        words = f"nobody answered, so nothing was trusted. To trust it ahead: {ahead}"
        raise CommandError(words) from None
    if not is_trusted:
        raise CommandError("nothing was trusted")
    return _post_trust(client, f"{row.scope}:{row.name}", repo, row.content_hash)


def _post_trust(client: Client, name: str, repo: Path, content_hash: str) -> FlowRow:
    # a yes to what was shown is no command: the hash makes it once
    body = {"command_id": None, "flow": name, "repository": _folder(repo)}
    answer = client.post(path_of("flows", "trust"), {**body, "content_hash": content_hash})
    return FlowRow.model_validate(answer)


def _rows(client: Client, repo: Path) -> list[FlowRow]:
    rows = client.get("/v1/flows", repository=_folder(repo))["flows"]
    return [FlowRow.model_validate(row) for row in rows]


def _checked(client: Client, name: str, repo: Path) -> FlowRow:
    """Return what is wrong with a flow or a file; what has a suffix or a slash is a file."""
    file = Path(name)
    if not file.suffix and "/" not in name:
        return flow_view(client, name, repo).flow
    try:
        raw = _read(file)
        content = raw.decode()
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: byte {error.start} is no UTF-8: save it as UTF-8") from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{name} can't be read: {error}") from error
    body = {"command_id": None, "content": content, "name": name, "repository": _folder(repo)}
    try:
        return FlowView.model_validate(client.post(path_of("flows", "check"), body)).flow
    except UnreachableError:
        return _checked_here(raw, name)


def _read(file: Path) -> bytes:
    """Return what a file says, or enough of it to be too much."""
    if not file.is_file():
        raise OSError("it is no file" if file.exists() else "it does not exist")
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _checked_here(raw: bytes, name: str) -> FlowRow:
    """Check a file by itself, where no engine answers."""
    texts = UnseenTexts()
    found = FoundFlow(name=name, scope=Scope.REPOSITORY, path=name)
    read = read_flow_file(raw, found, texts)
    row, names = read.row(), read.definition.flow_names if read.definition else ()
    what = " and ".join(
        [
            *(["texts in other files"] if texts.names else []),
            *(["the flows it names"] if names else []),
        ]
    )
    unseen = (f"{what} were not looked at, for no engine answers: treadle up",)
    return row.model_copy(update={"warnings": row.warnings + (unseen if what else ())})


def _folder(repo: Path) -> str:
    return str(whole(repo))
