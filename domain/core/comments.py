"""Comments of a person on lines of a diff, which go back to the agent with a rejection."""

import re
from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from domain.core.errors import InvalidError
from domain.core.printable import visible
from domain.core.wire import Wire, size_bytes

MAX_COMMENTS = 100
MAX_COMMENT = 2_000
MAX_COMMENT_PATH = 1_000
MAX_LINE = 10_000_000
MAX_COMMENTS_BYTES = 48 << 10
"""Of all comments of one rejection: they lie in histories, as themselves and in the feedback."""

_BREAKS = re.compile(r"[\r\n\t\u2028\u2029]+")


class Side(StrEnum):
    """Which file a line is of: the one before the change, or after it."""

    OLD = "old"
    NEW = "new"


class LineComment(Wire):
    """What a person says of one line of a diff, or of several, from `first` to `line`; the path is only text."""

    path: str = Field(min_length=1, max_length=MAX_COMMENT_PATH)
    line: int = Field(ge=1, le=MAX_LINE)
    first: int | None = Field(
        default=None, ge=1, le=MAX_LINE, exclude_if=lambda first: first is None
    )
    side: Side = Side.NEW
    text: str = Field(min_length=1, max_length=MAX_COMMENT)

    @property
    def as_line(self) -> str:
        """The comment as an agent reads it; its further lines are indented, so none looks like another."""
        path = visible(_BREAKS.sub(" ", self.path))
        text = "\n  ".join(visible(self.text).strip().splitlines())
        lines = f"{self.first}-{self.line}" if self.first and self.first < self.line else self.line
        return f"{path}:{lines} ({self.side}): {text}"


def with_comments(feedback: str, comments: Iterable[LineComment]) -> str:
    """Return feedback with the comments below it, a line each, in their order."""
    lines = "\n".join(comment.as_line for comment in comments)
    return "\n\n".join(part for part in (feedback.strip(), lines) if part) if lines else feedback


def check_comments(comments: tuple[LineComment, ...]) -> None:
    """Refuse more comments than a history bears.

    Raises:
        InvalidError: They are too many, or too long together.
    """
    if len(comments) > MAX_COMMENTS:
        raise InvalidError(f"{len(comments)} comments, at most {MAX_COMMENTS} go with a rejection")
    if (found := size_bytes([c.model_dump(mode="json") for c in comments])) > MAX_COMMENTS_BYTES:
        raise InvalidError(
            f"the comments are {found >> 10} KiB together, at most {MAX_COMMENTS_BYTES >> 10}: say "
            "the rest in a second round"
        )
