"""A prompt as content blocks: its text, and the files that came with it, as the agent takes them.

Every file lies in the agent's home as well, where it can be read, copied or run on.
"""

import base64
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from adapters.files.safe_open import PathRefusedError, safe_stat, safe_write
from domain.agents.agents import Prompt
from domain.agents.mentions import MAX_MENTIONS, mentioned_in
from domain.core.attachments import PLAIN_TEXT, AttachedFile
from domain.core.errors import AgentError

FOLDER = "attachments"
MAX_EMBEDDED_BYTES = 256 << 10

Block = dict[str, Any]


def place(files: Sequence[AttachedFile], home: Path) -> list[Path]:
    """Write the files into the agent's home, under a number each; returns where they lie.

    Raises:
        AgentError: They can't be written.
    """
    names = [f"{FOLDER}/{number}/{file.name}" for number, file in enumerate(files, 1)]
    try:
        for name, file in zip(names, files, strict=True):
            safe_write(home, name, file.content)
    except OSError as error:
        raise AgentError(f"an attached file can't be handed over: {error}") from error
    return [home / name for name in names]


def with_places(text: str, files: Sequence[AttachedFile], places: Sequence[Path]) -> str:
    """Return a prompt that says where its files lie."""
    if not files:
        return text
    lines = (
        f"- {file.name} ({file.mime_type}, {len(file.content)} bytes): {path}"
        for file, path in zip(files, places, strict=True)
    )
    return "\n".join((text, "", "## Attached files", "", *lines))


def blocks(
    text: str, files: Sequence[AttachedFile], places: Sequence[Path], can: dict[str, Any]
) -> list[Block]:
    """Return the content of a prompt; `can` are the agent's `promptCapabilities`."""
    found = [_block(file, path, can) for file, path in zip(files, places, strict=True)]
    return [{"type": "text", "text": text}, *found]


def _block(file: AttachedFile, path: Path, can: dict[str, Any]) -> Block:
    kind = file.mime_type.partition("/")[0]
    if kind in {"image", "audio"} and can.get(kind):
        data = base64.b64encode(file.content).decode()
        return {"type": kind, "mimeType": file.mime_type, "data": data}
    is_short = len(file.content) <= MAX_EMBEDDED_BYTES
    if file.mime_type == PLAIN_TEXT and is_short and can.get("embeddedContext"):
        resource = {"uri": path.as_uri(), "mimeType": PLAIN_TEXT, "text": file.content.decode()}
        return {"type": "resource", "resource": resource}
    return {
        "type": "resource_link",
        "uri": path.as_uri(),
        "name": file.name,
        "mimeType": file.mime_type,
        "size": len(file.content),
    }


def links(directory: Path, prompt: Prompt) -> list[Block]:
    """Return links to the files of the worktree that the words of a prompt name with `@`."""
    found: dict[str, Block] = {}
    for path in mentioned_in(prompt):
        if len(found) == MAX_MENTIONS:
            break
        with suppress(PathRefusedError):  # it names no file: `@ann`, or one outside
            size = safe_stat(directory, path).st_size
            uri = directory.joinpath(path).as_uri()
            found[uri] = {"type": "resource_link", "uri": uri, "name": path, "size": size}
    return list(found.values())
