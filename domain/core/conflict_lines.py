"""The lines of two sides that a merge could not combine, as a person compares them; pure."""

from domain.core.ids import ThreadId
from domain.core.summaries import Summarized
from domain.core.wire import Wire

MARKER_LENGTH = 43
"""Longer than anybody underlines a heading with, so that no line of a file is taken for a marker."""

SHOWN_FILES = 20
_CONTEXT = 2
_HUNKS = 12
_LINES = 40
_LENGTH = 300


class ConflictQuery(Summarized):
    """A look at a merge that conflicts, made by a workflow with this id on the repository's host."""

    query_id: str
    thread_id: ThreadId
    host: str
    repository: str
    ours: str
    theirs: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"show a conflict of {self.thread_id}"


class ConflictHunk(Wire):
    """One place of a file: what A has there and what B has, between the lines that both have.

    `line` is where it begins in A, counted from 1; `a_left` and `b_left` are how many lines of a side
    are left out at the end.
    """

    line: int
    before: tuple[str, ...] = ()
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    a_left: int = 0
    b_left: int = 0


class ConflictingFile(Wire):
    """A file that conflicts; `about` says why where it is not about lines, or not about these alone."""

    path: str
    about: str = ""
    hunks: tuple[ConflictHunk, ...] = ()
    hunks_left: int = 0


class ConflictLines(Wire):
    """What was found; `files_left` is how many files are left out, `failure` why nobody could look."""

    files: tuple[ConflictingFile, ...] = ()
    files_left: int = 0
    failure: str = ""


def file_of(path: str, text: str) -> ConflictingFile:
    """Return a file with its conflicts, from a text in which they are marked."""
    hunks = hunks_in(text.split("\n"))
    shown = tuple(map(_fitting, hunks[:_HUNKS]))
    return ConflictingFile(path=path, hunks=shown, hunks_left=len(hunks) - len(shown))


def hunks_in(lines: list[str]) -> list[ConflictHunk]:
    """Return the conflicts that are marked in the lines of a file."""
    begins, middle, ends = ("<" * MARKER_LENGTH, "=" * MARKER_LENGTH, ">" * MARKER_LENGTH)
    hunks: list[ConflictHunk] = []
    common: list[str] = []
    a: list[str] = []
    b: list[str] = []
    side = common
    place = 1
    for line in lines:
        if line.startswith(f"{begins} ") and side is common:
            hunks = _continued(hunks, common)
            a, b = [], []
            side = a
        elif line.rstrip("\r") == middle and side is a:
            side = b
        elif line.startswith(f"{ends} ") and side is b:
            before = tuple(common[-_CONTEXT:])
            hunks.append(ConflictHunk(line=place, before=before, a=tuple(a), b=tuple(b)))
            place += len(a)
            common = []
            side = common
        else:
            side.append(line)
            place += side is common
    return _continued(hunks, common)


def _continued(hunks: list[ConflictHunk], after: list[str]) -> list[ConflictHunk]:
    """Give the last conflict the lines that follow it."""
    if not hunks:
        return hunks
    last = hunks[-1].model_copy(update={"after": tuple(after[:_CONTEXT])})
    return [*hunks[:-1], last]


def _fitting(hunk: ConflictHunk) -> ConflictHunk:
    return ConflictHunk(
        line=hunk.line,
        before=_cut(hunk.before),
        a=_cut(hunk.a),
        b=_cut(hunk.b),
        after=_cut(hunk.after),
        a_left=max(0, len(hunk.a) - _LINES),
        b_left=max(0, len(hunk.b) - _LINES),
    )


def _cut(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        line if len(line) <= _LENGTH else f"{line[: _LENGTH - 1]}…" for line in lines[:_LINES]
    )
