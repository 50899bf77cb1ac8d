"""Lines that a person suggests in the place of others, and what a file is with them; pure."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pydantic import Field

from domain.core.comments import MAX_COMMENT_PATH, MAX_LINE
from domain.core.errors import InvalidError
from domain.core.wire import Wire, size_bytes

MAX_SUGGESTIONS = 100
MAX_SUGGESTION = 20_000
MAX_SUGGESTIONS_BYTES = 48 << 10
"""Of all that are applied at once: they lie in histories."""


class Suggestion(Wire):
    """What comes in the place of lines of a file as the work has it, from `first` to `last`, counted from 1.

    `text` is the new lines, without the end of the last one; None takes the old ones out.
    """

    path: str = Field(min_length=1, max_length=MAX_COMMENT_PATH)
    first: int = Field(ge=1, le=MAX_LINE)
    last: int = Field(ge=1, le=MAX_LINE)
    text: str | None = Field(default=None, max_length=MAX_SUGGESTION)

    @property
    def spoken(self) -> str:
        """Where it is, as people write it."""
        lines = f"{self.first}-{self.last}" if self.last > self.first else f"{self.first}"
        return f"{self.path}:{lines}"


def check_suggestions(suggestions: Sequence[Suggestion]) -> None:
    """Refuse suggestions that cannot be applied together.

    Raises:
        InvalidError: There are none, or too many, two change the same line, or a path leads elsewhere.
    """
    if not 0 < len(suggestions) <= MAX_SUGGESTIONS:
        raise InvalidError(
            f"{len(suggestions)} suggestions: between 1 and {MAX_SUGGESTIONS} are applied at once"
        )
    found = size_bytes([each.model_dump(mode="json") for each in suggestions])
    if found > MAX_SUGGESTIONS_BYTES:
        raise InvalidError(
            f"the suggestions are {found >> 10} KiB together, at most {MAX_SUGGESTIONS_BYTES >> 10}: "
            "apply some of them first"
        )
    for each in suggestions:
        if each.last < each.first:
            raise InvalidError(f"{each.spoken} ends before it begins")
        if {"", ".", "..", ".git"}.intersection(each.path.casefold().split("/")):
            raise InvalidError(
                f"{each.path!r} is not in the task's own repository: send it as a comment"
            )
        if "\0" in each.path or "\0" in (each.text or ""):
            raise InvalidError(f"{each.spoken!r} has a NUL character: no text file has one")
    for of_file in by_path(suggestions).values():
        for one, other in pairwise(of_file):
            if other.first <= one.last:
                raise InvalidError(
                    f"{one.spoken} and {other.spoken} change the same line: apply one of them"
                )


def by_path(suggestions: Iterable[Suggestion]) -> Mapping[str, tuple[Suggestion, ...]]:
    """Return suggestions by their files, each file's from the top down."""
    found: dict[str, list[Suggestion]] = {}
    for each in suggestions:
        found.setdefault(each.path, []).append(each)
    return {path: tuple(sorted(some, key=lambda one: one.first)) for path, some in found.items()}


def with_suggestions(content: str, suggestions: Sequence[Suggestion]) -> str:
    """Return a file with the suggestions for it, which are from the top down; it keeps its line ends.

    Raises:
        InvalidError: It has no such lines.
    """
    *ended, rest = content.split("\n")
    lines = [f"{line}\n" for line in ended] + ([rest] if rest else [])
    for each in reversed(suggestions):
        if each.last > len(lines):
            raise InvalidError(f"{each.spoken}: the file has {len(lines)} lines")
        lines[each.first - 1 : each.last] = _new_lines(each, lines)
    return "".join(lines)


def _new_lines(suggestion: Suggestion, lines: Sequence[str]) -> list[str]:
    """Return what comes in the place of lines: ended as they are, or as the line above where they have no end."""
    if suggestion.text is None:
        return []
    first, last = suggestion.first, suggestion.last
    old = lines[first - 1 : last]
    ended = [line for line in old if line.endswith("\n")] or lines[max(0, first - 2) : first - 1]
    end = "\r\n" if ended and all(line.endswith("\r\n") for line in ended) else "\n"
    new = [line.removesuffix("\r") for line in suggestion.text.split("\n")]
    closing = end if old[-1].endswith("\n") else ""
    return [*(f"{line}{end}" for line in new[:-1]), f"{new[-1]}{closing}"]
