"""What a file is, told by its content."""

import pytest
from pydantic import ValidationError

from domain.core.attachments import LIMIT_BYTES, UNKNOWN, Attachment, mime_type_of

REFERENCE = "a" * 64


@pytest.mark.parametrize(
    ("content", "mime_type"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        (b"%PDF-1.7", "application/pdf"),
        ("größer\n".encode(), "text/plain"),
        (b"<svg><script/></svg>", "text/plain"),
        (b"", "text/plain"),
        (b"a\0b", UNKNOWN),
        (b"\xff\xfe\x00", UNKNOWN),
        (b"RIFF", "text/plain"),
    ],
)
def test_a_file_is_what_it_begins_with(content, mime_type):
    assert mime_type_of(content) == mime_type


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "../x"},
        {"name": ""},
        {"name": "a\nb"},
        {"content_ref": "x"},
        {"size_bytes": LIMIT_BYTES + 1},
    ],
)
def test_an_attachment_names_a_kept_text_and_no_path(wrong):
    with pytest.raises(ValidationError):
        Attachment(**{"name": "x.png", "content_ref": REFERENCE, **wrong})
