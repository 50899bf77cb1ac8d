"""`treadle flow` for flow files: list, show, check, trust."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.errors import CommandError, UnreachableError
from cli.core.folders import folder_of
from cli.core.options import Repo
from cli.core.trust import TrustHash, confirm_trust
from cli.flows import file_drawing
from domain.agents.profiles import Scope
from domain.flows.files import MAX_BYTES, read_flow_file
from domain.flows.reading import UnseenTexts
from domain.flows.views import FlowRow, FlowView, FoundFlow

app = typer.Typer(
    name="flow",
    help="Flows: sequences of steps from a file, carried out by agents.",
    no_args_is_help=True,
)

Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="Flow name, optionally with its scope, like user:hello."),
]


@app.command(name="list")
def list_(repo: Repo = Path(), as_json: Json = False) -> None:
    """List the flows, including broken ones with their errors."""
    rows = _rows(connect(), repo)
    emit({"flows": rows}, lambda _: _print(rows), as_json=as_json)


def _print(rows: list[FlowRow]) -> None:
    output.print(file_drawing.listing(rows))
    say("Show one: treadle flow show NAME. Run it: treadle flow run NAME", style="dim")


@app.command()
def show(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show a flow: its numbered steps and their agents."""
    view = flow_view(connect(), name, repo)
    emit(view, file_drawing.page, as_json=as_json)


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="Flows or files. Default: all flows."),
    ] = None,
    repo: Repo = Path(),
    as_json: Json = False,
) -> None:
    """Check flows, by name or file; exits with 1 if one is broken.

    Nothing runs. A file needs no engine.
    """
    client = connect()
    rows = [_checked(client, name, repo) for name in names] if names else _rows(client, repo)
    emit({"flows": rows}, lambda _: file_drawing.verdicts(rows), as_json=as_json)
    if any(row.disabled for row in rows):
        raise typer.Exit(1)


@app.command()
def trust(
    name: Name,
    repo: Repo = Path(),
    content: TrustHash = None,
    as_json: Json = False,
) -> None:
    """Review the commands of a repository's flow, and trust it."""
    client, what = connect(), "trusted"
    if content is not None:
        trusted = _post_trust(client, name, repo, content)
    else:
        trusted = flow_view(client, name, repo).flow
        if trusted.disabled or not trusted.is_trusted:
            trusted = ask_trust(client, trusted, repo)
        else:
            what = "already trusted"
    emit(trusted, lambda row: say(f"{what}: {row.name} in {row.path}"), as_json=as_json)


def flow_view(client: Client, name: str, repo: Path) -> FlowView:
    """Read a flow; fails as `Client.get` does."""
    return FlowView.model_validate(client.get(path_of("flows", name), repository=folder_of(repo)))


def ask_trust(client: Client, row: FlowRow, repo: Path) -> FlowRow:
    """Show at the terminal what a flow runs, and trust exactly that once it is confirmed.

    Raises:
        CommandError: It is broken, the answer was no, or nobody is there to ask.
    """
    if row.disabled:
        raise CommandError(f"{row.path}: {row.error}")
    for line in file_drawing.commands(row):
        say(line)
    name = f"{row.scope}:{row.name}"
    confirm_trust(f"treadle flow trust {name}", row.content_hash)
    return _post_trust(client, name, repo, row.content_hash)


def _post_trust(client: Client, name: str, repo: Path, content_hash: str) -> FlowRow:
    # trust is not a command: the hash makes it idempotent
    body = {"command_id": None, "flow": name, "repository": folder_of(repo)}
    answer = client.post(path_of("flows", "trust"), {**body, "content_hash": content_hash})
    return FlowRow.model_validate(answer)


def _rows(client: Client, repo: Path) -> list[FlowRow]:
    rows = client.get("/v1/flows", repository=folder_of(repo))["flows"]
    return [FlowRow.model_validate(row) for row in rows]


def _checked(client: Client, name: str, repo: Path) -> FlowRow:
    """Check a flow or a file; a name with a suffix or a slash is a file."""
    file = Path(name)
    if not file.suffix and "/" not in name:
        return flow_view(client, name, repo).flow
    try:
        raw = _read(file)
        content = raw.decode()
    except UnicodeDecodeError as error:
        raise CommandError(
            f"{name}: byte {error.start} is not UTF-8: save the file as UTF-8"
        ) from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from error
    body = {"command_id": None, "content": content, "name": name, "repository": folder_of(repo)}
    try:
        return FlowView.model_validate(client.post(path_of("flows", "check"), body)).flow
    except UnreachableError:
        return _checked_here(raw, name)


def _read(file: Path) -> bytes:
    """Read a file; of one that is too large, just enough to tell."""
    if not file.is_file():
        raise OSError("it is not a file" if file.exists() else "it does not exist")
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _checked_here(raw: bytes, name: str) -> FlowRow:
    """Check a file without an engine."""
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
    unseen = (f"{what} were not checked: no engine is running",)
    return row.model_copy(update={"warnings": row.warnings + (unseen if what else ())})
