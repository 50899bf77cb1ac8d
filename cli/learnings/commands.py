"""`treadle learnings`: what tasks learned, by repository, and what becomes of it."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, output, plain, say
from cli.core.errors import CommandError
from cli.core.options import Agent, Model

app = typer.Typer(
    name="learnings",
    invoke_without_command=True,
    help="Learnings: list, keep, remove and promote what tasks learned.",
)

Ids = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Learnings, by a part of their ids.")
]
Project = Annotated[
    str | None,
    typer.Option("--project", help="Only this repository: its path, or the last part of it."),
]


@app.callback()
def show(
    context: typer.Context,
    project: Project = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include expired, removed and promoted ones.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List what tasks learned, with origin, uses, and when each expires."""
    if context.invoked_subcommand is not None:
        return
    found = _read(connect(), project)
    if not everything:
        found["learnings"] = [one for one in found["learnings"] if one["standing"] in _OFFERED]
    emit(found, _draw, as_json=as_json)


@app.command()
def keep(
    ids: Ids,
    project: Project = None,
    is_off: Annotated[
        bool, typer.Option("--off", help="Let them expire again unless they are used.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Keep learnings even if nobody uses them; this also restores removed ones."""
    _send(ids, project, "keep", {"is_kept": not is_off}, as_json=as_json)


@app.command()
def remove(ids: Ids, project: Project = None, as_json: Json = False) -> None:
    """Remove learnings: agents no longer get them, even if a task learns them again."""
    _send(ids, project, "remove", {}, as_json=as_json)


@app.command()
def used(ids: Ids, project: Project = None, as_json: Json = False) -> None:
    """Mark learnings as useful, which renews their expiry."""
    _send(ids, project, "used", {}, as_json=as_json)


@app.command()
def promote(
    ids: Ids,
    project: Project = None,
    agent: Agent = None,
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Propose learnings for AGENTS.md, in a thread whose change you approve at its gate."""
    client = connect()
    chosen = _chosen(client, ids, project)
    repositories = {one["repository"] for one in chosen}
    if len(repositories) > 1:
        raise CommandError("promote learnings of one repository at a time: add --project")
    body = {
        "repository": repositories.pop(),
        "learning_ids": [one["learning_id"] for one in chosen],
        "agent": agent,
        "model": model,
    }
    answer = client.post(path_of("learnings", "promotions"), body)
    emit(answer, _say_promotion, as_json=as_json)


_OFFERED = ("live", "pinned", "promoting")


def _read(client: Client, project: str | None) -> dict[str, Any]:
    wanted = {} if project is None else {"project": project}
    return client.get("/v1/learnings", **wanted)


def _chosen(client: Client, ids: list[str], project: str | None) -> list[dict[str, Any]]:
    """Return the learnings that parts of ids name, each by exactly one.

    Raises:
        CommandError: One names none, or several.
    """
    every = _read(client, project)["learnings"]
    return [_one(every, part) for part in ids]


def _one(every: list[dict[str, Any]], part: str) -> dict[str, Any]:
    found = [one for one in every if part in one["learning_id"]]
    exact = [one for one in found if one["learning_id"] == part]
    match exact or found:
        case [one]:
            return one
        case []:
            raise CommandError(f"no learning {part!r}: `treadle learnings --all` lists them")
        case several:
            names = ", ".join(f"{one['learning_id']} ({one['repository']})" for one in several[:5])
            raise CommandError(
                f"{part!r} matches several: {names}; add --project, or more of the id"
            )


def _send(
    ids: list[str], project: str | None, what: str, more: dict[str, Any], *, as_json: bool
) -> None:
    client = connect()
    for one in _chosen(client, ids, project):
        path = path_of("learnings", one["learning_id"], what)
        answer = client.post(path, {"repository": one["repository"], **more})
        name = one["learning_id"]
        emit(answer, lambda said, name=name: say(f"{name}: {said['message']}"), as_json=as_json)


def _say_promotion(answer: dict[str, Any]) -> None:
    thread = answer["thread_id"]
    say(f"{thread} proposes the change of AGENTS.md. Follow it: treadle attach {thread}")


def _draw(found: dict[str, Any]) -> None:
    if not found["learnings"]:
        say("No learnings yet: tasks record what later ones should know.")
        return
    repositories = dict.fromkeys(one["repository"] for one in found["learnings"])
    for repository in repositories:
        own = [one for one in found["learnings"] if one["repository"] == repository]
        output.print(Group(plain(repository, "bold"), *map(_entry, own)))


def _entry(one: dict[str, Any]) -> RenderableType:
    origin = one["origins"][-1]
    gone = " (removed)" if origin["thread_id"] in one["gone"] else ""
    source = f"{origin['thread_id']}{gone} {origin['task_id']}".strip()
    facts = f"  {source}; used {one['used']}, offered {one['offered']}; {_fate(one)}"
    head = plain(f"  {one['learning_id']}  ", "bold")
    text = plain(" ".join(one["text"].split()))
    return Group(head.append_text(text), plain(f"  {facts}", "dim"))


def _fate(one: dict[str, Any]) -> str:
    match one["standing"]:
        case "pinned":
            return f"kept by {one['pinned_by']}"
        case "removed":
            return f"removed by {one['removed_by']}"
        case "promoted":
            return f"in AGENTS.md since {one['promoted_as'][:10]}"
        case "promoting":
            return f"proposed for AGENTS.md in {one['promotion']}"
        case standing:
            day = f"{datetime.fromisoformat(one['expires']):%Y-%m-%d}"
            return f"expired {day}" if standing == "expired" else f"expires {day} unless it is used"
