"""Files that are attached to a message."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cli.core.client import Client
from cli.core.errors import CommandError
from cli.core.folders import BadPathError, whole
from domain.core.attachments import LIMIT_BYTES, MAX_ATTACHMENTS


def sent(client: Client, files: Sequence[Path]) -> list[dict[str, Any]]:
    """Upload files; return them as a message refers to them.

    Raises:
        CommandError: One cannot be read, is empty or too large, or there are too many.
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
    found = whole(file)
    try:
        if found.exists() and not found.is_file():  # a pipe or a device may never end
            raise BadPathError(f"{file} is not a file")
        with found.open("rb") as opened:
            content = opened.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise BadPathError(f"{file} cannot be read: {error.strerror}") from error
    if not 0 < len(content) <= LIMIT_BYTES:
        size = found.stat().st_size
        raise BadPathError(f"{file} has {size} bytes; allowed are 1 to {LIMIT_BYTES}")
    return content
