"""`treadle apply`: lines of one's own, put into the work that waits at a gate."""

import re
from typing import Annotated, Any

import typer

from cli.approvals.wanted import wanted_request
from cli.core.client import path_of
from cli.core.confirmation import Hash
from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.threads import Thread
from cli.core.views import connect_and_read
from domain.core.approvals import Subject

app = typer.Typer()

FORM = "PATH:FIRST-LAST:TEXT"
PLACE = "PATH:FIRST-LAST"
_PLACE = r"(?P<path>.+?):(?P<first>[0-9]{1,8})(-(?P<last>[0-9]{1,8}))?"
_TYPED = re.compile(f"{_PLACE}:(?P<text>.*)", re.DOTALL)
_TAKEN_OUT = re.compile(_PLACE, re.DOTALL)

Lines = Annotated[
    list[str] | None,
    typer.Option(
        "--lines",
        metavar=FORM,
        help="Replace these lines with TEXT, or one as PATH:LINE:TEXT; repeatable.",
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar=PLACE,
        help="Delete these lines, or one as PATH:LINE; repeatable.",
    ),
]


@app.command()
def apply(
    thread: Thread = None,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="Task id, or a part.", show_default=False)
    ] = None,
    lines: Lines = None,
    without: Without = None,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Edit lines of the work at a gate yourself; the result is verified again."""
    suggestions = [*map(typed, lines or ()), *map(taken_out, without or ())]
    if not suggestions:
        raise typer.BadParameter(f"name lines: --lines {FORM} or --without {PLACE}")
    client, view = connect_and_read(thread)
    request = wanted_request(view, task)
    asked = request.request
    if asked.subject is not Subject.GATE or request.task_id is None:
        raise CommandError(
            f"{asked.request_id} is not a task's gate: lines can only be changed there"
        )
    if content and not asked.content_hash.startswith(content):
        raise CommandError(f"{asked.request_id} is about {asked.content_hash[:12]} now: look again")
    body = {
        "request_id": asked.request_id,
        "content_hash": asked.content_hash,
        "suggestions": suggestions,
    }
    path = path_of("threads", view.thread_id, "tasks", request.task_id, "suggestions")
    answer = client.post(path, body)
    emit(answer, lambda _: say(answer["message"]), as_json=as_json)


def typed(lines: str) -> dict[str, Any]:
    """Return new lines as the API takes them.

    Raises:
        typer.BadParameter: They are malformed.
    """
    found = _TYPED.fullmatch(lines)
    if found is None:
        raise typer.BadParameter(
            f"{lines[:80]!r} does not name lines: write {FORM}, like src/a.py:12-14:'x = 1'",
            param_hint="--lines",
        )
    return {**_place_of(found), "text": found["text"]}


def taken_out(lines: str) -> dict[str, Any]:
    """Return lines that are to go as the API takes them.

    Raises:
        typer.BadParameter: They are malformed.
    """
    found = _TAKEN_OUT.fullmatch(lines)
    if found is None:
        raise typer.BadParameter(
            f"{lines[:80]!r} names no lines: write {PLACE}, like src/a.py:12-14",
            param_hint="--without",
        )
    return {**_place_of(found), "text": None}


def _place_of(found: re.Match[str]) -> dict[str, Any]:
    first = int(found["first"])
    return {"path": found["path"], "first": first, "last": int(found["last"] or first)}
