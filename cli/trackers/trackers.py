"""`treadle tracker`: the trackers whose issues become work, and how each stands."""

from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, output, say
from cli.core.tables import table_of

app = typer.Typer(name="tracker", no_args_is_help=True, help="Trackers: issues that become work.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="See `treadle tracker list`.")]
_SHOWN = 30


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List trackers, how each stands, and what to know of its settings."""
    emit(connect().get("/v1/trackers"), _draw_all, as_json=as_json)


@app.command("show")
def show(name: Name, as_json: Json = False) -> None:
    """Show a tracker with its newest issues."""
    emit(connect().get(path_of("trackers", name)), _draw, as_json=as_json)


@app.command("look")
def look(name: Name, as_json: Json = False) -> None:
    """Look at a tracker now."""
    _send(name, "look", as_json=as_json)


@app.command("pause")
def pause(name: Name, as_json: Json = False) -> None:
    """Pause a tracker: no issue is taken and no comment is read; work that was taken continues."""
    _send(name, "pause", as_json=as_json)


@app.command("resume")
def resume(name: Name, as_json: Json = False) -> None:
    """Resume a tracker."""
    _send(name, "resume", as_json=as_json)


@app.command("keep")
def keep(
    name: Name,
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="The thread of the issue.")],
    as_json: Json = False,
) -> None:
    """Let the work on an issue go on, though the issue was closed, unlabelled or moved."""
    _send(name, "keep", {"entry_id": thread}, as_json=as_json)


def _send(name: str, what: str, body: dict[str, str] | None = None, *, as_json: bool) -> None:
    found: Any = connect().post(path_of("trackers", name, what), body or {})
    emit(found, lambda answer: say(f"{name}: {answer['message']}"), as_json=as_json)


def _draw_all(found: dict[str, Any]) -> None:
    views = found["trackers"]
    if not views:
        say("No tracker is configured: write a [[trackers]] table (docs/how-to/trackers.md).")
        return
    table = table_of("tracker", "kind", "project", "issues with", "status", whole=["tracker"])
    for view in views:
        source = view["source"]
        table.add_row(
            source["name"], source["kind"], source["project"], _wanted(source), _standing(view)
        )
    output.print(table)
    for view in views:
        _warn(view)


def _draw(view: dict[str, Any]) -> None:
    source = view["source"]
    say(
        f"{source['name']}: {source['kind']} {source['host']} {source['project']}, {_wanted(source)}"
    )
    say(_standing(view))
    if view["issues"]:
        table = table_of(
            "issue", "title", "stands", "work", "status", "why", whole=["issue", "work"]
        )
        for issue in reversed(view["issues"][-_SHOWN:]):
            ref = issue["ref"]
            row = (
                issue["title"],
                issue["standing"],
                issue["entry_id"],
                issue["status"],
                issue["reason"],
            )
            table.add_row(ref["key"] or ref["id"], *row)
        output.print(table)
        for issue in view["issues"][-_SHOWN:]:
            if not issue["problem"]:
                continue
            say(f"{issue['ref']['key'] or issue['entry_id']}: {issue['problem']}", style="yellow")
    _warn(view)


def _warn(view: dict[str, Any]) -> None:
    for warning in view["warnings"]:
        say(warning, style="yellow")


def _standing(view: dict[str, Any]) -> str:
    by = f" by {view['paused_by']}" if view["paused_by"] else ""
    why = f": {view['problem']}" if view["problem"] else ""
    return f"{view['status']}{by}{why}"


def _wanted(source: dict[str, Any]) -> str:
    named = {"label": source["label"], "assignee": source["assignee"], "query": source["query"]}
    return ", ".join(f"{name} {value}" for name, value in named.items() if value)
