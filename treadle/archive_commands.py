"""`treadle archives`: what prunes archived, read from where it is kept; no engine has to run."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.console import Json, emit, load_settings, output, plain
from cli.core.tables import clock, table_of

archives = typer.Typer(no_args_is_help=True, help="Archives of threads: list and check them.")
app = typer.Typer()
app.add_typer(archives, name="archives")

Place = Annotated[
    str | None,
    typer.Option(
        "--archive",
        metavar="PLACE",
        help="A folder, or s3://bucket/prefix. Default: TREADLE_ARCHIVE.",
    ),
]


@archives.command("list")
def list_archives(place: Place = None, as_json: Json = False) -> None:
    """List the archives of a folder or bucket, by name."""
    from treadle import kept_archives

    found = kept_archives.listed(load_settings(), place)

    def draw(_: object) -> None:
        if not found:
            output.print(plain("Nothing is archived there."))
            return
        table = table_of("archive", "kB", "written", folded=["archive"])
        for each in found:
            table.add_row(plain(each.name), f"{each.size_bytes / 1_000:,.1f}", clock(each.at))
        output.print(table)

    emit({"archives": [each.model_dump(mode="json") for each in found]}, draw, as_json=as_json)


@archives.command("show")
def show_archive(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An archive, or the thread: then its newest one.")
    ],
    place: Place = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Unpack it to a new folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check an archive against its checksums, and show what it holds."""
    from treadle import kept_archives

    shown = kept_archives.shown(load_settings(), name, place, to)

    def draw(_: object) -> None:
        for heading, value in shown.rows:
            output.print(plain(f"{heading:<8} {value}"))

    emit(shown.model_dump(mode="json"), draw, as_json=as_json)
