"""Prompts of an editor as Treadle takes messages: a text, and files that go with it."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from acp import schema

from cli.core.errors import CommandError
from domain.core.attachments import LIMIT_BYTES, MAX_ATTACHMENTS
from domain.core.markdown import fenced

MAX_INLINE = 20_000
"""Characters of a file that stand in the text itself; a longer one is attached."""

MAX_NAME = 150

Block = (
    schema.TextContentBlock
    | schema.ImageContentBlock
    | schema.AudioContentBlock
    | schema.ResourceContentBlock
    | schema.EmbeddedResourceContentBlock
)


@dataclass(frozen=True)
class File:
    """A file of a prompt."""

    name: str
    content: bytes

    @property
    def body(self) -> dict[str, Any]:
        """The file as `POST /v1/attachments` takes it."""
        return {"name": self.name, "content": base64.b64encode(self.content).decode()}


@dataclass(frozen=True)
class Said:
    """What a person said in the editor."""

    text: str
    files: tuple[File, ...] = ()


def read_prompt(blocks: Sequence[Block], cwd: Path, limit: int) -> Said:
    """Return what a prompt says, in at most so many characters; what is longer is attached whole.

    Raises:
        CommandError: It is empty, a URI is none, or it has more or larger files than a message takes.
    """
    words: list[str] = []
    files: list[File] = []
    for block in blocks:
        text, file = _read_block(block, cwd, len(files) + 1)
        words.append(text)
        files += [file] if file else []
    text = "".join(words).strip()
    if not text and not files:
        raise CommandError("the prompt is empty")
    text = text or "See the attached files."
    if len(text) > limit:
        files.append(File("prompt.md", text.encode()))
        text = f"{text[: limit - 200]}…\n\n(The whole message is in the attached prompt.md.)"
    _check(files)
    return Said(text, tuple(files))


def _check(files: Sequence[File]) -> None:
    if len(files) > MAX_ATTACHMENTS:
        raise CommandError(
            f"a message can have at most {MAX_ATTACHMENTS} files, not {len(files)}: send fewer at a time"
        )
    for file in files:
        if len(file.content) > LIMIT_BYTES:
            raise CommandError(
                f"{file.name} has {len(file.content)} bytes; a message takes files of at most {LIMIT_BYTES}: "
                "name its path in the message instead"
            )


def _read_block(block: Block, cwd: Path, number: int) -> tuple[str, File | None]:
    """Return what stands in the text for a block, and the file that it brings."""
    match block:
        case schema.TextContentBlock(text=text):
            return text, None
        case schema.ImageContentBlock() | schema.AudioContentBlock():
            name = f"{block.type}-{number}.{block.mime_type.rpartition('/')[2].partition('+')[0]}"
            return "", File(_name_of(name), _decoded(block.data, name))
        case schema.ResourceContentBlock():
            return f" {_mention(block.uri, cwd) or f'[{block.name}]({block.uri})'} ", None
        case schema.EmbeddedResourceContentBlock(resource=resource):
            return _embedded(resource, cwd)


def _embedded(
    resource: schema.TextResourceContents | schema.BlobResourceContents, cwd: Path
) -> tuple[str, File | None]:
    shown = _mention(resource.uri, cwd) or resource.uri
    name = _name_of(_path_of(resource.uri))
    if isinstance(resource, schema.BlobResourceContents):
        return f" {shown} ", File(name, _decoded(resource.blob, name))
    if not resource.text:
        return f" {shown} (empty)", None
    if len(resource.text) > MAX_INLINE:
        return f" {shown} (attached: {name}) ", File(name, resource.text.encode())
    return f"\n\n{shown}, as it is in the editor:\n\n{fenced(resource.text)}\n", None


def _decoded(data: str, name: str) -> bytes:
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise CommandError(f"{name} is not base64: {error}") from error
    if not content:
        raise CommandError(f"{name} is empty")
    return content


def _split(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError as error:
        words = f"{uri[:MAX_NAME]!r} is no URI: name what it is of in the message instead"
        raise CommandError(words) from error


def _path_of(uri: str) -> str:
    return unquote(_split(uri).path)


def _mention(uri: str, cwd: Path) -> str:
    """Return how agents are told of a file of the repository, `@src/app.py`; empty for any other."""
    if _split(uri).scheme != "file":
        return ""
    path = PurePosixPath(_path_of(uri))
    if not path.is_relative_to(cwd) or path == PurePosixPath(cwd):
        return ""
    name = str(path.relative_to(cwd))
    return "" if any(c.isspace() for c in name) else f"@{name}"


def _name_of(path: str) -> str:
    name = PurePosixPath(path.replace("\\", "/")).name
    return "".join(c for c in name if c.isprintable())[-MAX_NAME:] or "file"
