"""`treadle audit`: export the audit log, and verify it."""

import csv
import json
import sys
from datetime import datetime
from typing import Annotated, Any

import typer

from cli.core.client import Client, connect
from cli.core.console import Json, emit, escaped_json, print_whole, say
from cli.core.errors import CommandError

app = typer.Typer(name="audit", help="The audit log: who did what, from where.")
PAGE = 1000
FIELDS = (
    *("number", "at", "person", "token_id", "address", "door", "action", "target"),
    *("project", "shown", "result", "reason", "previous", "digest"),
)


@app.callback(invoke_without_command=True)
def audit(
    context: typer.Context,
    since: Annotated[
        datetime | None, typer.Option(help="Only since this time, like `2026-11-01`.")
    ] = None,
    person: Annotated[str, typer.Option(help="Only what this person did.")] = "",
    project: Annotated[str, typer.Option(help="Only in this project: the folder.")] = "",
    form: Annotated[
        str, typer.Option("--format", help="jsonl or csv.", metavar="FORMAT")
    ] = "jsonl",
) -> None:
    """Export the audit log to standard output, oldest first; you must be an admin."""
    if context.invoked_subcommand is not None:
        return
    if form not in {"jsonl", "csv"}:
        raise typer.BadParameter("must be jsonl or csv", param_hint="--format")
    wanted = {"person": person, "project": project}
    if since is not None:
        wanted["since"] = since.astimezone().isoformat()
    _export(connect(), {name: value for name, value in wanted.items() if value}, form)


def _export(client: Client, wanted: dict[str, str], form: str) -> None:
    table = csv.DictWriter(sys.stdout, FIELDS, extrasaction="ignore")
    if form == "csv":
        table.writeheader()
    after = 0
    while True:
        page: Any = client.get("/v1/audit", after=after, limit=PAGE, **wanted)
        for record in page["records"]:
            if form == "csv":
                table.writerow({name: _plain(value) for name, value in record.items()})
            else:
                print_whole(escaped_json(json.dumps(record, ensure_ascii=False)) + "\n")
        if len(page["records"]) < PAGE:
            return
        after = page["after"]


def _plain(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula."""
    is_formula = isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"}
    return f"'{value}" if is_formula else value


@app.command()
def verify(
    head: Annotated[
        str, typer.Option(help="A digest that an earlier check printed: it must still be there.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Check that no record is missing and none was changed; print the newest digest."""
    client = connect()
    found: Any = client.get("/v1/audit/verification")
    emit(found, lambda _: _say(found), as_json=as_json)
    if not found["is_whole"]:
        raise CommandError(
            f"the audit log was changed: record {found['broken_at']} is missing or is not as it was "
            "written; compare with a backup of the journal"
        )
    if head and not _has(client, head):
        raise CommandError(f"no record has the digest {head[:80]}: records at the end were removed")


def _say(found: dict[str, Any]) -> None:
    if found["is_whole"]:
        say(f"{found['records']:,} records, all as they were written; the newest: {found['head']}")


def _has(client: Client, digest: str) -> bool:
    after = 0
    while True:
        page: Any = client.get("/v1/audit", after=after, limit=PAGE)
        if any(record["digest"] == digest for record in page["records"]):
            return True
        if len(page["records"]) < PAGE:
            return False
        after = page["after"]
