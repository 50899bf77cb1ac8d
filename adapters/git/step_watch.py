"""What a step's processes open, on its clean checkout, of what the task changed and could judge it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from adapters.files.open_watch import OpenWatch
from adapters.files.safe_open import PathRefusedError, safe_read
from adapters.git.commands import Git, fields
from adapters.git.worktree import Worktree
from domain.verification.judges.names import is_run, words_of
from domain.verification.judges.suspects import (
    CALLERS,
    MAX_WATCHED,
    Altered,
    Judged,
    called_by,
    judged_files,
    suspects,
)
from domain.verification.steps import VerificationStep

_MOST_CALLERS = 100
_CALLER_BYTES = 256 << 10


class StepWatch:
    """Watches the first suspects that are there; of the others nobody knows, so they are told."""

    def __init__(self, folder: Path, found: Sequence[Altered]) -> None:
        self._found = found
        names = [one.name for one in found if not one.is_gone and not one.is_link]
        self._files = OpenWatch(folder, names[:MAX_WATCHED])
        self._unwatched = frozenset(names[MAX_WATCHED:]) | self._files.unwatched

    def end(self) -> tuple[Judged, ...]:
        """Return what was opened, is gone or is a link; and watch no more."""
        return judged_files(self._found, self._files.end(), self._unwatched)

    def close(self) -> None:
        """Watch no more; once more is fine."""
        self._files.close()


async def watch_step(
    git: Git, clean: Worktree, range_: tuple[str, str], step: VerificationStep
) -> StepWatch:
    """Begin to watch; `range_` are the task's base and its commit."""
    altered = await _altered(git, clean, *range_)
    called = _called(clean.path, _run_by(step)) if altered else frozenset[str]()
    return StepWatch(clean.path, suspects(altered, called))


async def _altered(git: Git, clean: Worktree, base: str, commit: str) -> list[Altered]:
    """Return the files that were there before a task, and are otherwise now: all of them."""
    listed = await git.run(
        clean.place,
        *("diff-tree", "-r", "-z", "--raw", "--no-renames", "--diff-filter=a"),
        *("--end-of-options", base, commit),
    )
    entries = fields(listed.output.content())
    heads = (head.removeprefix(":").split(" ") for head in entries[::2])
    pairs = zip(heads, entries[1::2], strict=False)
    return [Altered(name, was=head[0], now=head[1]) for head, name in pairs]


def _run_by(step: VerificationStep) -> list[str]:
    """Return the files that a command itself runs, and not the texts that it looks at."""
    run = called_by(step.subject, "")
    return [word for word in words_of(step) if word in run or is_run(word)]


def _called(folder: Path, words: Iterable[str]) -> frozenset[str]:
    """Return what a step's command runs in turn: the files it names, and those they name, and so on."""
    waiting, known = [*CALLERS, *words], set[str]()
    read = 0
    while waiting and read < _MOST_CALLERS:
        name = waiting.pop(0)
        if name in known:
            continue
        known.add(name)
        try:
            text = safe_read(folder, name, _CALLER_BYTES).decode("utf-8", "replace")
        except (PathRefusedError, OSError):
            continue
        read += 1
        waiting.extend(called_by(text, name))
    return frozenset({*known, *waiting})
