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
_TYPED = re.compile(
    r"(?P<path>.+?):(?P<first>[0-9]{1,8})(-(?P<last>[0-9]{1,8}))?:(?P<text>.*)", re.DOTALL
)

Lines = Annotated[
    list[str],
    typer.Option(
        "--lines",
        metavar=FORM,
        help="Replace these lines with TEXT, or one as PATH:LINE:TEXT; repeatable.",
    ),
]


@app.command()
def apply(
    lines: Lines,
    thread: Thread = None,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="Task id, or a part.", show_default=False)
    ] = None,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Edit lines of the work at a gate yourself; the result is verified again."""
    suggestions = [typed(each) for each in lines]
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
    first = int(found["first"])
    last = int(found["last"] or first)
    return {"path": found["path"], "first": first, "last": last, "text": found["text"]}
