"""Files that a person puts with a message: told by reference, kept as texts, typed by their content."""

from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire

LIMIT_BYTES = 5 << 20
MAX_ATTACHMENTS = 10
PLAIN_TEXT = "text/plain"
UNKNOWN = "application/octet-stream"

_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}


class Attachment(Wire):
    """A file by reference; its base64 is a text of the journal."""

    name: str = Field(min_length=1, max_length=200, pattern=r"^[^/\\\x00-\x1f\x7f]+$")
    mime_type: str = Field(default=UNKNOWN, max_length=100)
    size_bytes: int = Field(default=0, ge=0, le=LIMIT_BYTES)
    content_ref: str = Field(pattern=r"^[0-9a-f]{64}$")


Attachments = Annotated[tuple[Attachment, ...], Field(max_length=MAX_ATTACHMENTS)]


class AttachedFile(Wire):
    """A file itself, for the agent that gets it; it never comes into a history."""

    name: str
    content: bytes

    @property
    def mime_type(self) -> str:
        """What it is by its content, whatever was said of it."""
        return mime_type_of(self.content)


def mime_type_of(content: bytes) -> str:
    """Return the type of a file by how it begins; what reads as UTF-8 is plain text."""
    if content[:4] == b"RIFF" and content[8:12] in _RIFF:
        return _RIFF[content[8:12]]
    for beginning, mime_type in _BEGINNINGS:
        if content.startswith(beginning):
            return mime_type
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return UNKNOWN
    return UNKNOWN if "\0" in text else PLAIN_TEXT
