"""`treadle agents`: list, show, install, test and trust agents."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.agents import drawing
from cli.agents.local import agents_here
from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, output, print_piece, say
from cli.core.errors import CommandError, RefusedError, UnreachableError
from cli.core.folders import whole
from cli.core.host_files import FilesOf, HostFiles, files_of
from cli.core.streams import followed
from cli.core.trust import TrustHash, confirm_trust
from domain.agents.checks import CheckKind, CheckResult
from domain.agents.events import AgentCheckEnded, AgentCheckProgress
from domain.agents.status import AgentDetails, AgentStatus
from domain.agents.updates import MESSAGE, kind_of
from domain.conversations.events import AgentUpdate
from domain.core.event import EventBody
from domain.reading.event_kinds import read_event
from domain.reading.report.records import AgentRecord

RECONNECT_SECONDS = 60


class NotBegunError(UnreachableError):
    """No engine is running that could start a check."""


app = typer.Typer(
    name="agents",
    help="Agents: list, install, test and trust them.",
    invoke_without_command=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Agent name; see `treadle agents`.")]
Repo = Annotated[Path, typer.Option(help="Folder of a repository, to include its agents.")]


@app.callback()
def list_(
    context: typer.Context, repo: Repo = Path(), host: FilesOf = "", as_json: Json = False
) -> None:
    """List the agents without starting any."""
    if (command := context.invoked_subcommand) is not None:
        if host or repo != Path():
            raise CommandError(f"give --host and --repo after `treadle agents {command}`")
        return
    statuses = _listed(context, repo, host)
    records = _records(repo)
    found = {"agents": statuses, "records": records}
    emit(found, lambda _: _print(statuses, records), as_json=as_json)


def _records(repo: Path) -> list[AgentRecord]:
    """Return how agents did in a repository; nothing without an engine, or a role there."""
    try:
        found = connect().get("/v1/report/agents", project=str(whole(repo)))
    except (UnreachableError, RefusedError):
        return []
    return [AgentRecord.model_validate(each) for each in found["records"]]


def _print(statuses: list[AgentStatus], records: list[AgentRecord]) -> None:
    output.print(drawing.listing(statuses))
    if records:
        output.print(drawing.records(records))
    say("Next: treadle agents show NAME | try NAME | install NAME", style="dim")


@app.command()
def show(
    context: typer.Context,
    name: Name,
    repo: Repo = Path(),
    host: FilesOf = "",
    as_json: Json = False,
) -> None:
    """Show an agent: its command, its access, and what is missing."""
    try:
        details = _details(_files(repo, host), name)
    except UnreachableError as error:
        details = agents_here(context, error, host).details(name, _folder(repo))
    emit(details, drawing.page, as_json=as_json)


@app.command()
def look(name: Name, repo: Repo = Path(), host: FilesOf = "", as_json: Json = False) -> None:
    """Start an agent and list what it offers; it gets no prompt."""
    _check(CheckKind.LOOK, name, _files(repo, host), as_json=as_json)


@app.command(name="try")
def try_(name: Name, repo: Repo = Path(), host: FilesOf = "", as_json: Json = False) -> None:
    """Send an agent a harmless test prompt, and show what it cost."""
    _check(CheckKind.TRY, name, _files(repo, host), as_json=as_json)


@app.command()
def install(
    context: typer.Context,
    name: Name,
    repo: Repo = Path(),
    host: FilesOf = "",
    as_json: Json = False,
) -> None:
    """Install the tested version of an agent in Treadle's own folder.

    Without a running engine it is installed but not started.
    """
    try:
        _check(CheckKind.INSTALL, name, _files(repo, host), as_json=as_json)
    except NotBegunError as error:
        version = agents_here(context, error, host).install(name, _folder(repo))
        text = (
            f"Installed ({version}). Test it once an engine is running: treadle agents try {name}"
        )
        result = CheckResult(kind=CheckKind.INSTALL, is_well=True, version=version)
        emit(result, lambda _: say(text, "green"), as_json=as_json)


@app.command(context_settings={"ignore_unknown_options": True})
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new agent.")],
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="-- COMMAND...", help="The command that starts it; it speaks ACP on stdio."
        ),
    ],
    env: Annotated[
        list[str] | None,
        typer.Option(help="Name of an environment variable to pass on; repeatable."),
    ] = None,
    title: Annotated[str, typer.Option(help="Display name.")] = "",
    host: Annotated[str, typer.Option("--host", hidden=True)] = "",
    as_json: Json = False,
) -> None:
    """Add an agent by its command, on the machine of the API; existing ones are never replaced."""
    if host:
        raise CommandError(
            "agents are added on the API's machine: write its file on the other host"
        )
    body = {
        "command_id": None,
        "name": name,
        "command": command,
        "title": title,
        "environment": env or [],
    }
    made = AgentDetails.model_validate(connect().post("/v1/agents", body))
    emit(made, _say_made, as_json=as_json)


def _say_made(made: AgentDetails) -> None:
    name = made.status.name
    say(f"Wrote {made.status.path}")
    say(f"Test it: treadle agents try {name}. More fields: docs/reference/agents.md")


@app.command()
def trust(
    name: Name,
    repo: Repo = Path(),
    content: TrustHash = None,
    host: FilesOf = "",
    as_json: Json = False,
) -> None:
    """Review an agent that a repository brings, and trust it."""
    files = _files(repo, host)
    if content is None:
        details = _details(files, name)
        output.print(drawing.page(details))
        content = details.status.content_hash
        confirm_trust(f"treadle agents trust {name}{files.options}", content)
    body = {"repository": files.folder, "content_hash": content}
    status = AgentStatus.model_validate(files.post("agents", name, "trust", **body))
    emit(status, lambda row: say(f"trusted: {row.name} in {row.path}"), as_json=as_json)


def _check(kind: CheckKind, name: str, files: HostFiles, *, as_json: bool) -> None:
    """Run a check and follow it to its end; a failed one exits with 1."""
    result = checked(kind, name, files, as_json=as_json)
    emit(result, _say_result, as_json=as_json)
    if not result.is_well:
        raise typer.Exit(1)
    if kind is CheckKind.LOOK and not as_json:
        say(f"What it offers: treadle agents show {name}", style="dim")


def checked(kind: CheckKind, name: str, files: HostFiles, *, as_json: bool) -> CheckResult:
    """Run a check and return how it ended.

    Raises:
        NotBegunError: No engine is there to begin it.
    """
    try:
        begun = files.check("agents", name, str(kind), repository=files.repository)
    except UnreachableError as error:
        raise NotBegunError(str(error)) from error
    path = path_of("agents", name, "checks", str(begun["check"]))
    return _followed(files.client, path, as_json=as_json)


def _say_result(result: CheckResult) -> None:
    for line in drawing.ending(result):
        say(line, style="green" if result.is_well else "red")


def _followed(client: Client, path: str, *, as_json: bool) -> CheckResult:
    """Print the progress of a check, and the agent's output on stdout; return its result.

    Raises:
        UnreachableError: The engine is away for longer than a restart takes.
    """
    is_saying = False
    for body in _events(client, f"{path}/events/stream"):
        match body:
            case AgentCheckEnded():
                if is_saying:
                    output.print()
                return body.result
            case AgentCheckProgress():
                say(body.message, style="dim")
            case AgentUpdate() if not as_json and (text := _update_text(body.update)):
                print_piece(text)
                is_saying = True
            case _:
                pass
    raise UnreachableError("the events of the check ended before its result")


def _events(client: Client, path: str) -> Iterator[EventBody]:
    """Yield the events of a check, across restarts of the engine's API."""
    try:
        for row in followed(client, path, patience=RECONNECT_SECONDS):
            yield read_event(row).event.body
    except UnreachableError as error:
        raise UnreachableError(
            f"{error}; see the result of the check later with `treadle agents`"
        ) from error


def _update_text(update: dict[str, Any]) -> str:
    if kind_of(update) != MESSAGE:
        return ""
    content: dict[str, Any] = update.get("content") or {}
    return str(content.get("text") or "")


def _details(files: HostFiles, name: str) -> AgentDetails:
    return AgentDetails.model_validate(files.get("agents", name))


def _listed(context: typer.Context, repo: Path, host: str) -> list[AgentStatus]:
    try:
        found = _files(repo, host).get("agents")["agents"]
    except UnreachableError as error:
        return agents_here(context, error, host).listed(_folder(repo))
    return [AgentStatus.model_validate(each) for each in found]


def _files(repo: Path, host: str) -> HostFiles:
    """Return the files of a host; without one the folder must be here.

    Raises:
        CommandError: It is not a readable folder.
    """
    return files_of(repo if host else Path(_folder(repo)), host)


def _folder(repo: Path) -> str:
    """Return the absolute path of a folder.

    Raises:
        BadPathError: It has none.
        CommandError: It is not a readable folder.
    """
    folder = whole(repo)
    if not os.path.isdir(folder):  # noqa: PTH112 - pathlib raises in another user's folder
        raise CommandError(f"--repo: {folder} is not a readable folder")
    return str(folder)
