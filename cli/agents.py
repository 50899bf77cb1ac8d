"""`treadle agents`: which agents there are, how they stand, and what mends what is missing."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cli import agent_pages
from cli.alone import agents_here
from cli.client import Client, CommandError, UnreachableError, path_of
from cli.console import Json, confirmed, load_settings, output, print_json, print_piece, say
from cli.folders import whole
from cli.follow import followed
from domain.agents.checks import CheckKind, CheckResult
from domain.agents.events import AgentCheckEnded, AgentCheckProgress
from domain.agents.status import AgentDetails, AgentStatus
from domain.conversations.events import AgentUpdate
from domain.core.event import EventBody
from domain.reading.event_kinds import JOURNALED

RECONNECT_SECONDS = 60


class NotBegunError(UnreachableError):
    """No engine was there to begin with a check."""


app = typer.Typer(
    help="Agents: which there are, whether they are installed and logged in, and a try.",
    invoke_without_command=True,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="As `treadle agents` lists it.")]
Repo = Annotated[Path, typer.Option(help="A folder of the repository whose agents count, too.")]


@app.callback()
def list_(context: typer.Context, repo: Repo = Path(), as_json: Json = False) -> None:
    """List the agents; starts none."""
    if context.invoked_subcommand is not None:
        return
    standings = _listed(context, repo)
    if as_json:
        print_json({"agents": [each.model_dump(mode="json") for each in standings]})
        return
    output.print(agent_pages.listing(standings))
    say("treadle agents show NAME; agents try NAME; agents install NAME", style="dim")


@app.command()
def show(context: typer.Context, name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Show one agent: how it is started, what it may reach, what is missing."""
    try:
        details = _details(Client(load_settings()), name, repo)
    except UnreachableError as error:
        details = agents_here(context, error).details(name, _folder(repo))
    if as_json:
        print_json(details.model_dump(mode="json"))
    else:
        output.print(agent_pages.page(details))


@app.command()
def look(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Start an agent and ask what it offers; it gets no prompt."""
    _check(CheckKind.LOOK, name, repo, as_json=as_json)


@app.command(name="try")
def try_(name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Have an agent answer one harmless question, and say what that cost."""
    _check(CheckKind.TRY, name, repo, as_json=as_json)


@app.command()
def install(context: typer.Context, name: Name, repo: Repo = Path(), as_json: Json = False) -> None:
    """Install the version of an agent that was tested, into a folder of Treadle's own.

    Without an engine it is installed all the same, and not looked at.
    """
    try:
        _check(CheckKind.INSTALL, name, repo, as_json=as_json)
    except NotBegunError as error:
        version = agents_here(context, error).install(name, _folder(repo))
        if as_json:
            result = CheckResult(kind=CheckKind.INSTALL, is_well=True, version=version)
            print_json(result.model_dump(mode="json"))
        say(f"It is installed ({version}); with an engine: treadle agents try {name}", "green")


@app.command(context_settings={"ignore_unknown_options": True})
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it shall be called.")],
    command: Annotated[
        list[str],
        typer.Argument(metavar="-- COMMAND...", help="What starts it, speaking ACP on its output."),
    ],
    env: Annotated[
        list[str] | None, typer.Option(help="A variable that it gets, by name; may be repeated.")
    ] = None,
    title: Annotated[str, typer.Option(help="What people see.")] = "",
    as_json: Json = False,
) -> None:
    """Add an agent of your own by its command; one that is there is never replaced."""
    body = {
        "command_id": None,
        "name": name,
        "command": command,
        "title": title,
        "environment": env or [],
    }
    made = AgentDetails.model_validate(Client(load_settings()).post("/v1/agents", body))
    if as_json:
        print_json(made.model_dump(mode="json"))
        return
    say(f"Wrote {made.standing.path}")
    say(f"Look whether it works: treadle agents try {name}; more fields: docs/reference/agents.md")


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
    """Show how an agent that a repository brings is started, and let threads there use it."""
    client = Client(load_settings())
    if content is None:
        content = _confirmed(_details(client, name, repo))
    body = {"command_id": None, "repository": _folder(repo), "content_hash": content}
    standing = AgentStatus.model_validate(client.post(path_of("agents", name, "trust"), body))
    if as_json:
        print_json(standing.model_dump(mode="json"))
    else:
        say(f"trusted: {standing.name} in {standing.path}")


def _confirmed(details: AgentDetails) -> str:
    """Show an agent on a terminal; returns the hash of what was shown after a yes.

    Raises:
        CommandError: The answer was no, or nobody is there to ask.
    """
    standing = details.standing
    output.print(agent_pages.page(details))
    try:
        is_trusted = confirmed("Let threads use it, as long as its file stays as it is?")
    except typer.Abort:
        raise CommandError(
            "nobody answered, so nothing was trusted. To trust it ahead: "
            f"treadle agents trust {standing.name} --hash {standing.content_hash}"
        ) from None
    if not is_trusted:
        raise CommandError("nothing was trusted")
    return standing.content_hash


def _check(kind: CheckKind, name: str, repo: Path, *, as_json: bool) -> None:
    """Have a check carried out and follow it to its end; what fails ends this with 1."""
    client = Client(load_settings())
    body = {"repository": _folder(repo)}
    try:
        begun = client.post(path_of("agents", name, str(kind)), body)
    except UnreachableError as error:
        raise NotBegunError(str(error)) from error
    result = _followed(
        client, path_of("agents", name, "checks", str(begun["check"])), as_json=as_json
    )
    if as_json:
        print_json(result.model_dump(mode="json"))
    for line in agent_pages.ending(result):
        say(line, style="green" if result.is_well else "red")
    if not result.is_well:
        raise typer.Exit(1)


def _followed(client: Client, path: str, *, as_json: bool) -> CheckResult:
    """Print what happens in a check, the agent's words on stdout; returns how it ended.

    Raises:
        UnreachableError: The engine is gone for longer than a restart takes.
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
            case AgentUpdate() if not as_json and (text := _said(body.update)):
                print_piece(text)
                is_saying = True
            case _:
                pass
    raise UnreachableError("the check's events ended before it did")


def _events(client: Client, path: str) -> Iterator[EventBody]:
    """Yield the events of a check, over restarts of the engine's API."""
    try:
        for row in followed(client, path, patience=RECONNECT_SECONDS):
            yield JOURNALED.validate_python(row).event.body
    except UnreachableError as error:
        raise UnreachableError(
            f"the check did not end before this: {error}; ask `treadle agents` later"
        ) from error


def _said(update: dict[str, Any]) -> str:
    if update.get("sessionUpdate") != "agent_message_chunk":
        return ""
    content: dict[str, Any] = update.get("content") or {}
    return str(content.get("text") or "")


def _details(client: Client, name: str, repo: Path) -> AgentDetails:
    found = client.get(path_of("agents", name), repository=_folder(repo))
    return AgentDetails.model_validate(found)


def _listed(context: typer.Context, repo: Path) -> list[AgentStatus]:
    try:
        found = Client(load_settings()).get("/v1/agents", repository=_folder(repo))["agents"]
    except UnreachableError as error:
        return agents_here(context, error).listed(_folder(repo))
    return [AgentStatus.model_validate(each) for each in found]


def _folder(repo: Path) -> str:
    """Return the whole path of a folder.

    Raises:
        BadPathError: It has none.
        CommandError: There is none.
    """
    folder = whole(repo)
    if not os.path.isdir(folder):  # noqa: PTH112 - pathlib raises in another user's folder
        raise CommandError(f"--repo: there is no folder {folder} that can be read")
    return str(folder)
