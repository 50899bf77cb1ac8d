"""`treadle trust`: changed git metadata of a repository."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, confirmed, emit, say
from cli.core.errors import CommandError
from cli.core.folders import folder_of
from cli.core.trust import TrustHash
from domain.core.trust import MetadataChanges

app = typer.Typer()


@app.command()
def trust(
    repository: Annotated[
        Path, typer.Argument(metavar="REPOSITORY", help="The repository's top folder.")
    ],
    content: TrustHash = None,
    as_json: Json = False,
) -> None:
    """Review changed git metadata of a repository and trust it.

    With --json and without --hash the changes are only printed.
    """
    client = connect()
    path, folder = path_of("repositories", "trust"), folder_of(repository)
    found = MetadataChanges.model_validate(client.get(path, repository=folder))
    if as_json and content is None:
        return emit(found, as_json=True)
    for change in found.changes:
        say(f"  {change.name} {'is gone' if change.now is None else f'= {change.now}'}")
    if content is None and not confirmed("Git may run programs because of this. Trust it?"):
        raise CommandError("not trusted: undo the change, then retry the task")
    # trust is not a command: the hash makes it idempotent
    body = {"command_id": None, "repository": folder, "content_hash": content or found.content_hash}
    trusted = client.post(path, body)
    text = f"Trusted {folder}; now retry what was refused."
    return emit(trusted, lambda _: say(text), as_json=as_json)
