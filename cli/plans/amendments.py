"""`treadle amend` and `treadle amendments`."""

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import RenderableType

from cli.core.client import Client, path_of
from cli.core.console import USAGE, Json, emit, output, say
from cli.core.errors import RefusedError
from cli.core.threads import Thread, connect_to
from cli.plans import amendment_drawing
from domain.threads.amending.history import AmendmentView, PlanVersion

app = typer.Typer()

MAX_FILE_BYTES = 1 << 20
FROM_INPUT = "-"
ATTEMPTS = 50
PAUSE_SECONDS = 0.1


@app.command()
def amend(
    thread: Thread = None,
    file: Annotated[
        str | None,
        typer.Option("--file", "-f", help="The amendment as YAML or JSON; - for standard input."),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", "-m", help="What a planner should change.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="The planner's agent.")] = None,
    as_json: Json = False,
) -> None:
    """Change a running plan, by your own changes or with a planner.

    The amendment takes effect once you approve it. A file has `why`, `base_version` and
    `changes`; each change is one of add, modify, remove, reorder, abort.
    """
    if (file is None) is (text is None):
        say("treadle: give either --file FILE or --text TEXT", style="red")
        raise typer.Exit(USAGE)
    client, thread_id = connect_to(thread)
    if file is None:
        body: dict[str, Any] = {"text": text, "agent": agent}
        answer = client.post(path_of("threads", thread_id, "amendment-requests"), body)
    else:
        body = {"amendment": _read(file)}
        answer = client.post(path_of("threads", thread_id, "amendments"), body)
    draw = _say_requested if file is None else _show_card
    emit(answer, lambda answer: draw(client, thread_id, answer), as_json=as_json)


def _say_requested(_client: Client, thread_id: str, answer: dict[str, Any]) -> None:
    say(f"{answer['message']}: watch it with `treadle attach {thread_id}`")


def _show_card(client: Client, thread_id: str, answer: dict[str, Any]) -> None:
    amendment: str = answer["data"]["request_id"]
    output.print(
        amendment_drawing.card(
            _journaled(client, thread_id, amendment), all_by=f"treadle show {thread_id} --all"
        )
    )
    say(
        f"treadle approve {thread_id} {amendment}, or treadle reject {thread_id} {amendment} "
        "--feedback TEXT"
    )


def _journaled(client: Client, thread_id: str, amendment: str) -> AmendmentView:
    """Return a new amendment; the journal has it a moment after the workflow."""
    path = path_of("threads", thread_id, "amendments", amendment)
    for _ in range(ATTEMPTS):
        with suppress(RefusedError):
            return AmendmentView.model_validate(client.get(path))
        time.sleep(PAUSE_SECONDS)
    return AmendmentView.model_validate(client.get(path))


def _read(file: str) -> dict[str, Any]:
    """Read an amendment from a file or from standard input."""
    try:
        raw = sys.stdin.read(MAX_FILE_BYTES) if file == FROM_INPUT else _text_of(Path(file))
        found = json.loads(raw) if raw.lstrip().startswith("{") else yaml.safe_load(raw)
    except (OSError, ValueError, yaml.YAMLError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        say(f"treadle: {file} cannot be read: {why}", style="red")
        raise typer.Exit(USAGE) from error
    if not isinstance(found, dict):
        say(
            f"treadle: {file} is not an amendment: it needs why, base_version and changes",
            style="red",
        )
        raise typer.Exit(USAGE)
    return found  # pyright: ignore[reportUnknownVariableType]  (the API says what is wrong with it)


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES).decode()


@app.command()
def amendments(thread: Thread = None, as_json: Json = False) -> None:
    """Show the amendments and versions of a plan."""
    client, thread_id = connect_to(thread)
    found = client.get(path_of("threads", thread_id, "amendments"))
    versions = client.get(path_of("threads", thread_id, "versions"))
    emit({"amendments": found, "versions": versions}, _draw, as_json=as_json)


def _draw(found: dict[str, Any]) -> RenderableType:
    return amendment_drawing.history(
        [AmendmentView.model_validate(each) for each in found["amendments"]],
        [PlanVersion.model_validate(each) for each in found["versions"]],
    )
