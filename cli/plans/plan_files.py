"""`treadle plan-files`: notes that the agents of a thread write."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from cli.core.client import Client, path_of
from cli.core.console import (
    Json,
    emit,
    messages,
    output,
    plain,
    print_whole,
    say,
)
from cli.core.errors import CommandError
from cli.core.sending import send_command
from cli.core.threads import Thread, connect_to
from domain.threads.plan_files.files import PlanFile

app = typer.Typer()

Which = Annotated[
    PlanFile | None,
    typer.Argument(metavar="FILE", help="task_plan, findings or progress.", show_default=False),
]
Archive = Annotated[
    str | None, typer.Option("--archive", metavar="NAME", help="Use this archived plan.")
]
Export = Annotated[
    Path | None,
    typer.Option(
        "--export", metavar="DIR", help="Copy the files to this folder; none is overwritten."
    ),
]


@app.command(name="plan-files")
def plan_files(
    thread: Thread = None,
    which: Which = None,
    archive: Archive = None,
    export: Export = None,
    is_on: Annotated[
        bool | None,
        typer.Option("--on/--off", help="Turn plan files on or off.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """List, print or export the plan files of a thread.

    Its agents write them with their tools.
    """
    client, thread_id = connect_to(thread)
    if is_on is not None:
        send_command(thread_id, "plan-files", body={"is_on": is_on}, as_json=as_json)
    elif export is not None:
        _export(client, thread_id, archive, export)
    elif which is not None:
        print_whole(_text(client, thread_id, archive, which))
    else:
        found = client.get(path_of("threads", thread_id, "plan-files"))
        emit(found, _print_files, as_json=as_json)


def _text(client: Client, thread_id: str, archive: str | None, which: PlanFile) -> str:
    where = ("archive", archive, which) if archive else (which,)
    return client.text(path_of("threads", thread_id, "plan-files", *where))


def _print_files(found: dict[str, Any]) -> None:
    if not found["is_on"]:
        say(
            f"Plan files are off; turn them on: treadle plan-files {found['thread_id']} --on",
            style="dim",
        )
    plans: list[dict[str, Any]] = [{"name": "current", "files": found["files"]}, *found["archived"]]
    table = Table(box=None, pad_edge=False, show_header=False)
    for plan in (plan for plan in plans if plan["files"]):
        for which, kept in plan["files"].items():
            row = (plan["name"], which, f"{kept['size_bytes']} bytes")
            table.add_row(*(plain(text) for text in row))
    if table.row_count:
        output.print(table)
    else:
        messages.print("No plan files yet.", style="dim")


def _export(client: Client, thread_id: str, archive: str | None, folder: Path) -> None:
    """Copy all files of a plan into a folder.

    Raises:
        CommandError: A file exists already, so none is written; or the folder is not writable.
    """
    found = client.get(path_of("threads", thread_id, "plan-files"))
    plans = {plan["name"]: plan["files"] for plan in found["archived"]}
    files = plans.get(archive, {}) if archive else found["files"]
    texts = {
        PlanFile(name).file_name: _text(client, thread_id, archive, PlanFile(name))
        for name in files
    }
    if not texts:
        raise CommandError("no such plan; list them with `treadle plan-files`")
    taken = [name for name in texts if (folder / name).exists() or (folder / name).is_symlink()]
    if taken:
        raise CommandError(f"{folder} already has {', '.join(taken)}: choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with (folder / name).open("x", encoding="utf-8", newline="") as file:
                file.write(text)
    except OSError as error:
        raise CommandError(f"{folder} cannot be written: {error.strerror}") from error
    say(f"Wrote {', '.join(str(folder / name) for name in texts)}")
