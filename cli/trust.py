"""Trusting what changed in a repository's git metadata, after a look at it."""

from pathlib import Path
from typing import Annotated

import typer

from cli.client import Client, CommandError, path_of
from cli.console import Json, confirmed, load_settings, print_json, say
from cli.folders import whole
from domain.core.trust import MetadataChanges

app = typer.Typer()


@app.command()
def trust(
    repository: Annotated[Path, typer.Argument(metavar="REPOSITORY", help="Its top folder.")],
    content: Annotated[
        str | None,
        typer.Option("--hash", help="Trust it unasked, only if it has this content hash."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what changed in a repository's git metadata, and let git run there again."""
    client = Client(load_settings())
    path, folder = path_of("repositories", "trust"), str(whole(repository))
    found = MetadataChanges.model_validate(client.get(path, repository=folder))
    if as_json and content is None:
        print_json(found.model_dump())
        return
    for change in found.changes:
        say(f"  {change.name} {'is gone' if change.now is None else f'= {change.now}'}")
    if content is None and not confirmed("Git may run programs by it. Trust it?"):
        raise CommandError("nothing was trusted: put it back, then retry the task")
    # a yes to what was shown is no command: the hash makes it once
    body = {"command_id": None, "repository": folder, "content_hash": content or found.content_hash}
    trusted = client.post(path, body)
    if as_json:
        print_json(trusted)
    else:
        say(f"trusted: {folder}; retry what was refused")
