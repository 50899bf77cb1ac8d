"""Files that go with a message: read here, kept by the engine, named by the message."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cli.client import Client, CommandError
from domain.attachments import LIMIT_BYTES, MAX_ATTACHMENTS


def sent(client: Client, files: Sequence[Path]) -> list[dict[str, Any]]:
    """Have the engine keep files; returns what a message takes of them.

    Raises:
        CommandError: One can't be read, is empty or too large, or there are too many.
    """
    if len(files) > MAX_ATTACHMENTS:
        raise CommandError(f"a message takes at most {MAX_ATTACHMENTS} files")
    contents = [(file, _content(file)) for file in files]
    return [
        client.post(
            "/v1/attachments",
            {"name": file.name, "content": base64.b64encode(content).decode()},
        )
        for file, content in contents
    ]


def _content(file: Path) -> bytes:
    try:
        content = file.expanduser().read_bytes()
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}") from error
    if not 0 < len(content) <= LIMIT_BYTES:
        raise CommandError(f"{file} has {len(content)} bytes; a file has 1 to {LIMIT_BYTES}")
    return content
