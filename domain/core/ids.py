"""Ids: their types, their grammar, and the only builders of workflow ids."""

import hashlib
import re
import unicodedata
from datetime import UTC, datetime
from typing import NewType

from domain.core.secret_forms import without_secrets, without_split_secrets

ThreadId = NewType("ThreadId", str)
TaskId = NewType("TaskId", str)
SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
StreamId = NewType("StreamId", str)
EventId = NewType("EventId", str)
CommandId = NewType("CommandId", str)
RequestId = NewType("RequestId", str)

SLUG_LENGTH = 32

WORK = TaskId("the-work")
"""What a plan without tasks is to the machinery of tasks; no task of a plan has this id, and no door shows it."""

LONGEST_REST = "-" + "0a" * 100
"""What may stand behind a name in an id, at its most: a secret's form may begin in the name and end there."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.ASCII)
_SCHEDULED = re.compile(r"(schedule-[a-z0-9-]+)-(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z", re.ASCII)
"""A schedule's id, and the time that Temporal adds to it for each workflow."""

_THREAD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,199}", re.ASCII)
_RESERVED = re.compile(r"session(-.*)?|head|con|git")


def is_name(text: str) -> bool:
    """Tell whether text can name a task, a port or a decision: ASCII lowercase, digits, dashes."""
    return bool(_NAME.fullmatch(text)) and not text.endswith("-") and not _RESERVED.fullmatch(text)


def is_thread(text: str) -> bool:
    """Tell whether text can be a thread's id, and so the name of a folder: no path, no point."""
    return bool(_THREAD.fullmatch(text))


def slug(text: str) -> str:
    """Return the readable part of an id: at most 32 ASCII characters, never empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    kept = ""
    for word in words:
        longer = f"{kept}-{word}" if kept else word[:SLUG_LENGTH]
        if len(longer) > SLUG_LENGTH:
            break
        kept = longer
    return kept or "work"


def is_secret(name: str, more: str = "") -> bool:
    """Tell whether a name looks like a secret, by itself or with what ids put behind it.

    What is kept is without secrets, so nothing with such a name would be found again.
    """
    return any(without_secrets(text) != text for text in (name, f"{name}{more}"))


def thread_id(goal: str, suffix: str) -> ThreadId:
    """Return a thread's id, which is also its workflow id and its journal stream; without secrets.

    Branches and child threads have more behind it: goals like `sk learn` give an id without their words.
    """
    name = f"thread-{slug(without_split_secrets(goal))}-{suffix}"
    return ThreadId(f"thread-{slug('')}-{suffix}" if is_secret(name, LONGEST_REST) else name)


OF_PROGRAM = "thread-via-"
"""What the ids of threads begin with that programs opened for people."""


def thread_id_of_program(goal: str, suffix: str) -> ThreadId:
    """Return the id of a thread that a program opens for a person."""
    return ThreadId(thread_id(goal, suffix).replace("thread-", OF_PROGRAM, 1))


def flow_run_id(name: str, number: int) -> StreamId:
    """Return the id of a flow's n-th run: its workflow id, its journal stream, its conversation's id."""
    return StreamId(f"flow-{name}-{number}")


def schedule_id(name: str) -> str:
    """Return the id of a schedule at Temporal, which is also what its workflows' ids begin with."""
    return f"schedule-{name}"


def scheduled_workflow_id(name: str, due: datetime) -> str:
    """Return the id of what a schedule starts at a time, as Temporal makes it."""
    return f"{schedule_id(name)}-{due.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def schedule_of(workflow_id: str) -> str | None:
    """Return the id of the schedule that a workflow was started by, None for any other workflow."""
    scheduled = _SCHEDULED.fullmatch(workflow_id)
    return scheduled[1] if scheduled else None


def due_at(workflow_id: str) -> datetime | None:
    """Return the time, in UTC, at which a schedule's workflow came due; None for any other."""
    scheduled = _SCHEDULED.fullmatch(workflow_id)
    try:
        return datetime.fromisoformat(scheduled[2]).replace(tzinfo=UTC) if scheduled else None
    except ValueError:  # like the 99th of a month
        return None


def tracker_id(name: str) -> StreamId:
    """Return the id of a tracker's workflow and journal stream, by its name in the settings."""
    return StreamId(f"tracker-{name}")


OF_ISSUE = "thread-issue-"
"""What the ids of threads of issues begin with."""


def issue_thread_id(tracker: str, issue: str, turn: int) -> ThreadId:
    """Return the id of the thread of an issue: made of what never changes, the issue's own id.

    `tracker` is the kind and host of it, so two sources with the same issue make the same id. `turn` counts
    how often it was put into the queue: again only after it was taken out before it had started.
    """
    digest = hashlib.sha256("\0".join((tracker, issue, str(turn))).encode()).hexdigest()
    return ThreadId(f"{OF_ISSUE}{digest[:20]}")


def task_workflow_id(thread: ThreadId, task: TaskId) -> str:
    """Return the workflow id and journal stream of a task; retries of a task share it."""
    return f"{thread}/{task}"


def session_stream(owner: str, number: int) -> SessionId:
    """Return the id, workflow id and journal stream of an owner's n-th session.

    The owner is a thread's or a task's workflow id; numbers start at 1.
    """
    return SessionId(f"{owner}/session-{number}")


def run_workspace_id(thread: ThreadId, task: TaskId, run: int) -> str:
    """Return the id of the worktree of a task's run."""
    return f"{task_workflow_id(thread, task)}/run-{run}"


def session_workspace_id(owner: str, session: SessionId, *, has_own: bool) -> str:
    """Return the id of a session's worktree: its own, or the one that the owner's sessions share."""
    return session if has_own else shared_workspace_id(owner)


def shared_workspace_id(owner: str) -> str:
    """Return the id of the worktree that sessions of a thread or a flow's run share."""
    return f"{owner}/shared"


def terminal_stream(owner: StreamId, number: int) -> StreamId:
    """Return the journal stream of an owner's n-th terminal; the owner is a task or a session."""
    return StreamId(f"{owner}/terminal-{number}")


def service_stream(owner: StreamId, number: int) -> StreamId:
    """Return the journal stream of the n-th start of a service; the owner is a task or a session."""
    return StreamId(f"{owner}/service-{number}")


def publication_id(thread: ThreadId, number: int) -> StreamId:
    """Return the id, workflow id and journal stream of a thread's watched pull request, by its number."""
    return StreamId(f"{thread}/publication/{number}")


def is_publication(stream: str) -> bool:
    """Tell whether a stream is a pull request's; a task may be called `publication`, which has no number."""
    above, _, number = stream.rpartition("/")
    return above.endswith("/publication") and number.isdecimal()


def terminals_owner(owner: StreamId, thread: ThreadId, session: SessionId) -> StreamId:
    """Return whose terminals a session opens: its task's, or its own where it is the thread's."""
    return StreamId(session) if owner == thread else owner


def is_terminal(stream: str) -> bool:
    """Tell whether a stream is a terminal's or a service's; a task may be called `terminal-1` as well."""
    above, _, name = stream.rpartition("/")
    return "/" in above and name.startswith(("terminal-", "service-"))


def thread_of(stream: str) -> ThreadId:
    """Return the thread that a stream or workflow id belongs to."""
    return ThreadId(stream.split("/", 1)[0])


def imported_thread_id(agent: str, agent_session: str) -> ThreadId:
    """Return the id of the thread that goes on with a session of an agent: one for each, however often it is imported."""
    digest = hashlib.sha256("\0".join((agent, agent_session)).encode()).hexdigest()
    return ThreadId(f"thread-session-{digest[:20]}")


def host_queue(host: str) -> str:
    """Return the task queue of the worker that owns a host's workspaces."""
    return f"treadle-host-{host}"


SHARED_QUEUE = "treadle"
