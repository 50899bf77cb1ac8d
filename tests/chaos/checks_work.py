"""What was really executed, merged and left behind, against what the journal says."""

from collections.abc import Iterator
from datetime import UTC, datetime

from domain.core.event import Event
from domain.tasks.resources import RESOURCES
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from tests.chaos.evidence import Leftovers, Thread
from tests.chaos.jobs import Line

Window = tuple[datetime, datetime]
MARKS: dict[str, tuple[bool, ...]] = {
    "turn_started": (True, False),
    "turn_ended": (False, False),
    "verification_started": (True, True),
    "verification_step_ended": (False, True),
    "task_reported": (True, True),  # what its merge makes is verified once more
    "merge_step_ended": (False, True),
    "task_settled": (False, False, True),
}
"""Which events start (True) or end work, and whose: the agent's (False), verification's (True)."""
NEVER = datetime.max.replace(tzinfo=UTC)


def has_one_writer(thread: Thread) -> Iterator[str]:
    """Once another process tree writes in a worktree, the one before it never does again."""
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
    """No step starts again after a later one of its turn, nor outside of the time it was asked for."""
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
    for event in (journaled.event for journaled in thread.events):
        if getattr(event.body, "session_id", "") == event.stream:
            continue  # a session's own stream: the task's has its turns as well
        is_start, *kinds = MARKS.get(event.body.kind, (False,))
        for key in ((_task(event), is_verification) for is_verification in kinds):
            if key in open_now and not is_start:
                found.setdefault(key, []).append((open_now.pop(key), event.at))
            elif is_start:
                open_now[key] = event.at
    for key, begin in open_now.items():
        found.setdefault(key, []).append((begin, NEVER))
    return found


def _task(event: Event) -> str:
    """Return the task that an event is about; none for the check of its ports, which runs nothing."""
    if getattr(getattr(event.body, "result", None), "step_id", "") == RESOURCES:
        return ""
    return getattr(event.body, "task_id", "") or event.stream.split("/")[1]


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
