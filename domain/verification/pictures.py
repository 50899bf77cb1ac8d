"""Pictures that a verification step leaves behind and that are kept, like screenshots of the page that was built."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from domain.core.attachments import mime_type_of
from domain.core.wire import Wire

MAX_GLOBS = 10
MAX_GLOB = 200
MAX_PICTURES = 10
"""Pictures of one step."""

LIMIT_BYTES = 5 << 20
"""Bytes of one picture."""

TOTAL_BYTES = 20 << 20
"""Bytes of all pictures of one step."""

PICTURE_TYPES = frozenset({"image/png", "image/jpeg", "image/webp"})
"""What is a picture, by its content: none of these can carry a script."""


class Picture(Wire):
    """A picture by reference: its base64 is a text of the journal, `sha256` is of its own bytes."""

    name: str = Field(max_length=1000)
    mime_type: str = Field(max_length=100)
    size_bytes: int = Field(default=0, ge=0)
    sha256: str = ""
    content_ref: str = Field(pattern=r"^[0-9a-f]{64}$")


def picture_type(content: bytes) -> str:
    """Return the type of a picture by its content, whatever it is called; empty for what is none."""
    found = mime_type_of(content)
    return found if found in PICTURE_TYPES else ""


def picture_faults(
    globs: Sequence[str], *, leaves_files: bool, has_page: bool
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the pictures of a step, by the stable name of its kind, and in words."""
    if not has_page:
        yield "conflict", "only http_health steps take a picture"
    if globs and not leaves_files:
        yield "conflict", "only command, script and file_exists steps can keep pictures"
    if len(globs) > MAX_GLOBS:
        yield "too_many", f"keep: {len(globs)} globs, at most {MAX_GLOBS}"
    for glob in globs[:MAX_GLOBS]:
        is_inside = not glob.startswith("/") and ".." not in glob.split("/")
        if not glob.strip() or len(glob) > MAX_GLOB or not glob.isprintable() or not is_inside:
            words = "give a glob relative to the repository, like 'screenshots/*.png'"
            yield "bad_value", f"keep {glob[:80]!r}: {words}"
