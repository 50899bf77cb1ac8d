"""What was really executed, merged and left behind, against what the journal says."""

from collections.abc import Iterator
from datetime import UTC, datetime

from domain.events import session as session_events
from domain.events import task as task_events
from domain.events import thread as thread_events
from domain.events.thread import TaskStatus
from tests.chaos.evidence import Leftovers, Thread
from tests.chaos.jobs import Line

Window = tuple[datetime, datetime]
NEVER = datetime.max.replace(tzinfo=UTC)


def has_one_writer(thread: Thread) -> Iterator[str]:
    """Once another process tree writes in a worktree, the one before it never does again (I4)."""
    last: dict[str, Line] = {}
    gone: dict[str, set[str]] = {}
    for line in thread.lines:
        before = last.get(line.workspace)
        superseded = gone.setdefault(line.workspace, set())
        if line.run in superseded:
            yield f"{line.step} of {line.run} wrote in {line.workspace} after another had begun"
        if before is not None and before.run != line.run:
            is_cut_off = before.what != "end"
            if is_cut_off or _turn(before) == _turn(line):
                superseded.add(before.run)
        last[line.workspace] = line


def repeats_nothing(thread: Thread) -> Iterator[str]:
    """No step starts again after a later one of its turn, nor outside of the time it was asked for (I9)."""
    furthest: dict[tuple[str, str], str] = {}
    windows = windows_of(thread)
    for line in (line for line in thread.lines if line.what == "start"):
        key = (line.workspace, _turn(line))
        if line.step < furthest.get(key, ""):
            yield f"{line.step} ran again after {furthest[key]} in {line.workspace}"
        furthest[key] = max(line.step, furthest.get(key, ""))
        task, kind = line.step.split(".")[:2]
        asked = windows.get((task, kind == "verify"), [])
        if not any(begin <= line.at <= end for begin, end in asked):
            yield f"{line.step} started at {line.at}, when nothing of the kind was under way"


def windows_of(thread: Thread) -> dict[tuple[str, bool], list[Window]]:
    """Return when each task's agent, or its verification (True), had something to do.

    From the journaled start to the journaled end; where it was cut off, to the end of its run.
    """
    found: dict[tuple[str, bool], list[Window]] = {}
    open_now: dict[tuple[str, bool], datetime] = {}

    def close(key: tuple[str, bool], at: datetime) -> None:
        if key in open_now:
            found.setdefault(key, []).append((open_now.pop(key), at))

    for journaled in thread.events:
        event = journaled.event
        parts = event.stream.split("/")
        task = parts[1] if len(parts) > 1 else ""
        match event.body:
            case task_events.TaskTurnStarted():
                open_now[task, False] = event.at
            case session_events.TurnEnded():
                close((task, False), event.at)
            case task_events.VerificationStarted():
                open_now[task, True] = event.at
            case task_events.VerificationStepEnded(result=result) if result.step_id != "step-0":
                close((task, True), event.at)
            case thread_events.TaskSettled(task_id=name):
                close((name, False), event.at)
                close((name, True), event.at)
            case _:
                pass
    for key in list(open_now):
        close(key, NEVER)
    return found


def is_merged_once(thread: Thread) -> Iterator[str]:
    """Every completed task is merged by exactly one commit, the journal's, with the right files."""
    merges = {m.commit: m.key for m in thread.repository.merges}
    keys = list(merges.values())
    yield from (
        f"{key} was merged {keys.count(key)} times" for key in set(keys) if keys.count(key) > 1
    )
    told = [
        b.commit for e in thread.events if isinstance(b := e.event.body, thread_events.TaskMerged)
    ]
    if sorted(told) != sorted(merges):
        yield f"the journal has the merges {sorted(told)}, the branch {sorted(merges)}"
    completed = [
        e.event.body.task_id
        for e in thread.events
        if isinstance(e.event.body, thread_events.TaskUpdated)
        and e.event.body.new_status is TaskStatus.COMPLETED
    ]
    if len(keys) != len(completed):
        yield f"{len(completed)} tasks are completed, {len(keys)} merged"
    expected = {f"{w.name}.txt": w.text for w in thread.job.tasks if w.name in completed}
    expected["README.md"] = "A repository.\n"
    if thread.repository.files != expected:
        yield f"the branch holds {thread.repository.files}, expected {expected}"


def leaves_the_repository_whole(thread: Thread) -> Iterator[str]:
    """Nothing of the user's is touched; no worktree, no lock and no damage is left."""
    repository = thread.repository
    for name, value in repository.own_before.items():
        if repository.own[name] != value:
            yield f"the user's {name} was changed from {value!r} to {repository.own[name]!r}"
    if repository.worktrees != 1:
        yield f"{repository.worktrees - 1} worktrees are left"
    yield from (f"{lock} is left" for lock in repository.locks)
    if repository.damage:
        yield f"git fsck says {repository.damage}"


def leaves_nothing(left: Leftovers) -> Iterator[str]:
    """No process, ledger entry or port of any run is left."""
    yield from (f"a process is left: {words}" for words in left.processes)
    yield from (f"an entry of the run ledger is left: {name}" for name in left.runs)
    yield from (f"an entry of the activity ledger is left: {name}" for name in left.activities)
    yield from (f"a port is still leased to {owner}" for owner in left.ports)


def _turn(line: Line) -> str:
    return ".".join(line.step.split(".")[:2])
