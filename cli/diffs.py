"""What a task has changed, as a patch: as it is for programs, coloured for people."""

import sys
from typing import Annotated

import typer
from rich.syntax import Syntax

from cli.client import Client, path_of
from cli.console import Json, load_settings, output, plain, print_json
from cli.pick import pick

app = typer.Typer()


@app.command()
def diff(
    thread: Annotated[str, typer.Argument(metavar="THREAD")],
    task: Annotated[str, typer.Argument(metavar="TASK")],
    is_since_review: Annotated[
        bool, typer.Option("--since-review", help="Only what changed since you sent it back.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show what a task has changed up to its last turn, as a patch."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    patch = patch_of(client, thread_id, task, is_since_review=is_since_review)
    if as_json:
        print_json({"thread": thread_id, "task": task, "diff": patch})
    elif output.is_terminal:
        output.print(coloured(patch))
    else:
        sys.stdout.write(patch)


def patch_of(client: Client, thread_id: str, task_id: str, *, is_since_review: bool = False) -> str:
    """Return a task's diff against its base, or against what a person last sent back."""
    since = "review" if is_since_review else "base"
    return client.text(path_of("threads", thread_id, "tasks", task_id, "diff"), since=since)


def coloured(patch: str) -> Syntax:
    """Return a patch for a terminal."""
    return Syntax(plain(patch).plain, "diff", background_color="default")
