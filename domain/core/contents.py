"""The content of one file at a commit of a thread, as a person reads it beside a diff."""

from base64 import b64encode
from enum import StrEnum

from pydantic import Field

from domain.core.attachments import mime_type_of
from domain.core.beside import OpenedBeside
from domain.core.ids import ThreadId
from domain.core.summaries import Summarized
from domain.core.wire import Wire, size_bytes

MAX_CONTENT_PATH = 4_096
MAX_TEXT_BYTES = 1 << 20
"""A text that is larger is not shown whole, nor in colour."""

PIECE_BYTES = 1 << 20
"""A picture comes in pieces of this size: Temporal takes no result of more than 2 MB."""

MAX_PICTURE_BYTES = 5 << 20
MAX_FILE_BYTES = max(MAX_TEXT_BYTES, MAX_PICTURE_BYTES)
"""What is larger is not read at all."""

PICTURES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""What is a picture, by its content. An SVG is a text: it is shown as one, or drawn where nothing in it runs."""

_MAX_RESULT_BYTES = 3 << 19


class ContentKind(StrEnum):
    """What a file is at a commit."""

    TEXT = "text"
    PICTURE = "picture"
    BINARY = "binary"
    MISSING = "missing"
    TOO_LARGE = "too_large"


class ContentQuery(Summarized):
    """A look at one file, made by a workflow with this id on the repository's host.

    The commit has to be of the thread: of its branch, or of a checkpoint. A path that begins with `../NAME/` is of
    the repository beside of that name. Of a picture the bytes from `offset` on are read.
    """

    query_id: str
    thread_id: ThreadId
    host: str
    repository: str
    branch: str
    commit: str
    path: str = Field(min_length=1, max_length=MAX_CONTENT_PATH)
    offset: int = Field(default=0, ge=0)
    beside: tuple[OpenedBeside, ...] = Field(default=(), exclude_if=lambda beside: not beside)

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"read a file of {self.thread_id}"


class FileContent(Wire):
    """What was found: a text, or the base64 of a piece of a picture; `size_bytes` is of the whole file."""

    kind: ContentKind = ContentKind.MISSING
    mime_type: str = ""
    text: str = ""
    base64: str = ""
    size_bytes: int = 0
    failure: str = ""


def content_of(content: bytes, offset: int = 0) -> FileContent:
    """Return a file as it is shown: a text in UTF-8, a piece of a picture, or only what it is."""
    size, mime_type = len(content), mime_type_of(content[:64])
    if mime_type in PICTURES:
        if size > MAX_PICTURE_BYTES:
            return FileContent(kind=ContentKind.TOO_LARGE, size_bytes=size)
        piece = b64encode(content[offset : offset + PIECE_BYTES]).decode()
        return FileContent(
            kind=ContentKind.PICTURE, mime_type=mime_type, base64=piece, size_bytes=size
        )
    if size > MAX_TEXT_BYTES:
        return FileContent(kind=ContentKind.TOO_LARGE, size_bytes=size)
    text = _decoded(content)
    if text is None:
        return FileContent(kind=ContentKind.BINARY, size_bytes=size)
    if size_bytes(text) > _MAX_RESULT_BYTES:  # control characters are six bytes of JSON each
        return FileContent(kind=ContentKind.TOO_LARGE, size_bytes=size)
    return FileContent(kind=ContentKind.TEXT, text=text, size_bytes=size)


def _decoded(content: bytes) -> str | None:
    if b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
