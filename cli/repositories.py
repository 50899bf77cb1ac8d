"""`treadle trust`: changed git metadata of a repository."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, confirmed, emit, print_json, say
from cli.core.errors import CommandError
from cli.core.folders import whole
from domain.core.trust import MetadataChanges

app = typer.Typer()


@app.command()
def trust(
    repository: Annotated[
        Path, typer.Argument(metavar="REPOSITORY", help="The repository's top folder.")
    ],
    content: Annotated[
        str | None,
        typer.Option(
            "--hash", help="Trust it without confirmation, only if it has this content hash."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Review changed git metadata of a repository and trust it."""
    client = connect()
    path, folder = path_of("repositories", "trust"), str(whole(repository))
    found = MetadataChanges.model_validate(client.get(path, repository=folder))
    if as_json and content is None:
        print_json(found.model_dump())
        return
    for change in found.changes:
        say(f"  {change.name} {'is gone' if change.now is None else f'= {change.now}'}")
    if content is None and not confirmed("Git may run programs because of this. Trust it?"):
        raise CommandError("not trusted: undo the change, then retry the task")
    # a yes to what was shown is no command: the hash makes it once
    body = {"command_id": None, "repository": folder, "content_hash": content or found.content_hash}
    trusted = client.post(path, body)
    emit(trusted, lambda _: say(f"Trusted {folder}; retry what was refused."), as_json=as_json)
