"""`treadle search`: full-text search of all conversations, plans and results."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from cli.core.client import connect
from cli.core.console import Json, emit, inert, plain, say
from cli.core.numbers import MAX_NUMBER
from cli.core.options import given
from cli.core.tables import clock
from cli.core.threads import pick
from domain.core.text import counted, on_one_line

app = typer.Typer()

_MOST = 1000

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="WORDS", help="Words, each by its beginning; all must occur. '\"…\"' is a phrase."
    ),
]
OfThread = Annotated[
    str | None, typer.Option("--thread", "-t", help="Only this thread: its id or a part of it.")
]
Project = Annotated[
    str | None, typer.Option(help="Filter by repository: its path, or the last part of it.")
]
Many = Annotated[int, typer.Option("--limit", "-n", min=1, max=_MOST, help="How many at most.")]
Before = Annotated[
    int | None,
    typer.Option(min=0, max=MAX_NUMBER, help="Older than this position: the next page."),
]


@app.command()
def search(
    words: Words,
    thread: OfThread = None,
    project: Project = None,
    limit: Many = 20,
    before: Before = None,
    as_json: Json = False,
) -> None:
    """Search what people and agents said, plans, decisions, reports and test output.

    Finds threads and flow runs, archived ones too, the newest first.
    """
    client = connect()
    filters = given(project=project, thread=thread and pick(client, thread))
    cursor = {} if before is None else {"after": before}
    page = client.get("/v1/search", q=" ".join(words), limit=limit, **filters, **cursor)

    emit(page, _draw, as_json=as_json)
    if page["unindexed"] and not as_json:
        say(f"{counted(page['unindexed'], 'older event')} not searched yet: indexing", "yellow")


def _draw(page: dict[str, Any]) -> RenderableType:
    if not page["finds"]:
        return plain("Nothing found.")
    lines = [line for find in page["finds"] for line in _lines(find)]
    if page["next"] is not None:
        lines.append(plain(f"More: add --before {page['next']}", "dim"))
    return Group(*lines)


def _lines(find: dict[str, Any]) -> Iterator[Text]:
    where = find["stream"].removeprefix(find["top"]).strip("/")
    who = find["by"] or find["speaker"]
    head = plain(find["top"], "bold")
    for part in (where, who, clock(datetime.fromisoformat(find["at"]))):
        head.append_text(plain(f"  {part}" if part else "", "dim"))
    yield head
    text = Text("  ")
    for piece in find["excerpt"]:
        text.append(on_one_line(inert(piece["text"])), "yellow" if piece["is_match"] else "")
    yield text
