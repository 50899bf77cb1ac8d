"""What worries about a task that runs, by rules with thresholds.

Pure rules over what a run tells of itself (domain/progress.py): each gives a concern and an advice.
They never act; a person does, or the setting that pauses the plan.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import NamedTuple

from domain.core.progress import TaskProgress
from domain.core.text import counted
from domain.core.wire import Wire
from domain.plans.settings import PlannerSettings

MAX_SHOWN = 5


class ConcernKind(StrEnum):
    """What worries."""

    REPEATED_FAILURES = "repeated_failures"
    RISING_RETRIES = "rising_retries"
    NO_PROGRESS = "no_progress"
    DRIFT = "drift"
    COLLISION = "collision"


class Advice(StrEnum):
    """What a person may do about it."""

    CONTINUE = "continue"
    PAUSE = "pause"
    AMEND = "amend"
    ABORT = "abort"
    RETRY = "retry"


class Concern(NamedTuple):
    """Something that worries, in words, and what may be done about it."""

    kind: ConcernKind
    message: str
    advice: Advice


class Watch(Wire):
    """What the rules remember of a run: how often each step failed, and which files it had then.

    `failed` are the steps of the newest attempt that failed. `unchanged` counts the attempts, up to
    the newest, that left the tree as the one before.
    """

    attempts: int = 0
    failed: tuple[str, ...] = ()
    failures: dict[str, int] = {}
    tree: str | None = None
    unchanged: int = 0


class Oversight(Wire):
    """What supervision remembers of a task's newest run, and what it has raised about it."""

    watch: Watch = Watch()
    raised: tuple[ConcernKind, ...] = ()
    heard_at: datetime | None = None
    look_at: datetime | None = None


def watched(before: Watch, progress: TaskProgress) -> Watch:
    """Return what is remembered after a run told how far it is; the same again changes nothing."""
    watch = before
    if progress.attempts > before.attempts:
        is_unchanged = (
            before.attempts > 0 and progress.tree is not None and progress.tree == before.tree
        )
        watch = Watch(
            attempts=progress.attempts,
            failures=before.failures,
            tree=progress.tree,
            unchanged=before.unchanged + 1 if is_unchanged else 0,
        )
    new = [step for step in progress.failed_steps if step not in watch.failed]
    if progress.attempts < before.attempts or not new:
        return watch
    failures = {**watch.failures, **{step: watch.failures.get(step, 0) + 1 for step in new}}
    return watch.model_copy(update={"failed": (*watch.failed, *new), "failures": failures})


def concerns(
    watch: Watch, progress: TaskProgress, area: tuple[str, ...], limits: PlannerSettings
) -> Iterator[Concern]:
    """Yield all that worries about a run as it stands; `area` are the globs that the plan gave it."""
    for step, count in watch.failures.items():
        if limits.supervision_failures and count >= limits.supervision_failures:
            words = f"the step {step!r} failed {counted(count, 'time')}"
            yield Concern(ConcernKind.REPEATED_FAILURES, words, Advice.PAUSE)
            break
    if limits.supervision_retries and progress.failed_in_a_row >= limits.supervision_retries:
        words = f"{counted(progress.failed_in_a_row, 'attempt')} in a row failed verification"
        yield Concern(ConcernKind.RISING_RETRIES, words, Advice.AMEND)
    elif limits.supervision_retries and progress.run > limits.supervision_retries:
        words = f"it was started {counted(progress.run, 'time')}"
        yield Concern(ConcernKind.RISING_RETRIES, words, Advice.AMEND)
    if limits.supervision_unchanged and watch.unchanged >= limits.supervision_unchanged:
        words = f"{counted(watch.unchanged, 'attempt')} changed no file"
        yield Concern(ConcernKind.NO_PROGRESS, words, Advice.RETRY)
    stray = strays(progress.files, area)
    if limits.supervision_stray_files and len(stray) >= limits.supervision_stray_files:
        shown = ", ".join(stray[:MAX_SHOWN])
        more = f" and {len(stray) - MAX_SHOWN} more" if len(stray) > MAX_SHOWN else ""
        words = f"it changes files outside its area ({', '.join(area)}): {shown}{more}"
        yield Concern(ConcernKind.DRIFT, words, Advice.AMEND)


def quiet(seconds: int) -> Concern:
    """Return the concern about a run that was not heard of for so long."""
    words = f"nothing was heard of it for {seconds // 60} min"
    return Concern(ConcernKind.NO_PROGRESS, words, Advice.ABORT)


def strays(files: tuple[str, ...], area: tuple[str, ...]) -> list[str]:
    """Return the files that no glob of an area takes; a folder's name takes all below it."""
    if not area:
        return []
    return [file for file in files if not any(_takes(glob, file) for glob in area)]


def _takes(glob: str, file: str) -> bool:
    glob = glob.removeprefix("./").rstrip("/")
    return fnmatchcase(file, glob) or fnmatchcase(file, f"{glob}/*") or _below(glob, file)


def _below(glob: str, file: str) -> bool:
    """Let `**/` stand for no folder too: `src/**/a.py` takes `src/a.py`."""
    return "**/" in glob and fnmatchcase(file, glob.replace("**/", ""))
