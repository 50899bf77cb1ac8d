"""Checkpoints: the commits that a thread's work can be gone on with, from its journal.

Each turn that may change files ends with a commit on a hidden ref, which nothing removes but the
thread's deletion. So every moment of a thread has a newest one.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded
from domain.core.errors import NotFoundError
from domain.core.event import EventBody, JournaledEvent
from domain.core.ids import SessionId, StreamId, TaskId, TurnId, thread_of
from domain.core.lifecycle.events import SessionMergeEnded
from domain.core.task_names import task_name
from domain.core.text import counted
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot
from domain.threads.events import TaskMerged, ThreadOpened

NAMED = 5
"""Positions that a refusal names."""


class NoCheckpointError(NotFoundError):
    """There is no checkpoint at or before the position."""

    type = "no_checkpoint"


class Checkpoint(Wire):
    """What a stream held at a position of the journal, as a commit.

    The stream is the thread's for its branch, a task's or a chat's for their turns. `number` is that
    of the turn in its session, `run` the task's.
    """

    position: int
    at: datetime
    stream: StreamId
    task_id: TaskId | None = None
    session_id: SessionId | None = None
    run: int = 0
    number: int = 0
    commit: str
    label: str = ""

    @property
    def is_of_branch(self) -> bool:
        """Whether it is one of the thread's branch."""
        return self.stream == thread_of(self.stream)


def checkpoint_of(journaled: JournaledEvent) -> Checkpoint | None:
    """Return the checkpoint that an event tells of, if it does."""
    event = journaled.event
    found = _checkpoint_fields(event.stream, event.body)
    if found is None:
        return None
    return Checkpoint(position=journaled.position, at=event.at, stream=event.stream, **found)


def _checkpoint_fields(stream: StreamId, body: EventBody) -> dict[str, Any] | None:
    match body:
        case ThreadOpened():
            return {"commit": body.begins_at or body.facts.head, "label": "opened"}
        case TaskMerged():
            merged = {"task_id": body.task_id, "commit": body.commit}
            return {**merged, "label": f"{task_name(body.task_id, '')} merged"}
        case SessionMergeEnded(commit=str(commit)):
            session = body.session_id
            label = f"changes of {session.rpartition('/')[2]} kept"
            return {"session_id": session, "commit": commit, "label": label}
        case TurnEnded(result=TurnResult(snapshot=Snapshot() as snapshot) as result):
            if stream.count("/") != 1:
                return None  # a session of a task: the task's own stream has its turns as well
            is_of_task = stream != body.session_id
            task = {"task_id": stream.partition("/")[2]} if is_of_task else {}
            return {**task, **_turn(result.turn_id, snapshot)}
        case _:
            return None


def _turn(turn_id: TurnId, snapshot: Snapshot) -> dict[str, Any]:
    session, _, number = turn_id.rpartition("/turn-")
    name = session.rpartition("/session-")[2]
    run = name.partition("-")[0] if session.count("/") > 1 else "0"
    changed = (
        f"+{snapshot.insertions} −{snapshot.deletions} in {counted(snapshot.file_count, 'file')}"
    )
    return {
        "session_id": session,
        "run": int(run) if run.isdecimal() else 0,
        "number": int(number) if number.isdecimal() else 0,
        "commit": snapshot.commit,
        "label": f"turn {number}: {changed}" if snapshot.file_count else f"turn {number}",
    }


def joined(known: tuple[Checkpoint, ...], found: Checkpoint) -> tuple[Checkpoint, ...]:
    """Return the checkpoints with one more, each turn once.

    A turn that a plan's work takes in a session of the thread is told by both: it is the work's.
    """
    same = [each for each in known if _turn_of(each) == _turn_of(found) is not None]
    if any(each.task_id for each in same):
        return known
    return (*(each for each in known if each not in same), found)


def _turn_of(checkpoint: Checkpoint) -> tuple[SessionId | None, int] | None:
    return (checkpoint.session_id, checkpoint.number) if checkpoint.number else None


def newest(checkpoints: Iterable[Checkpoint], position: int, what: str) -> Checkpoint:
    """Return the newest checkpoint at or before a position; `what` names whose they are.

    Raises:
        NoCheckpointError: There is none; the message says where the first ones are.
    """
    known = sorted(checkpoints, key=lambda each: each.position)
    if found := [each for each in known if each.position <= position]:
        return found[-1]
    listed = ", ".join(f"{each.position} ({each.label})" for each in known[:NAMED]) or "none yet"
    raise NoCheckpointError(
        f"{what} has no checkpoint at or before position {position}; its first ones: {listed}"
    )


def of_task(checkpoints: Iterable[Checkpoint], task_id: TaskId) -> tuple[Checkpoint, ...]:
    """Return those of a task's own work, in any of its runs."""
    return tuple(c for c in checkpoints if c.task_id == task_id and not c.is_of_branch)


def of_stream(checkpoints: Iterable[Checkpoint], stream: str) -> tuple[Checkpoint, ...]:
    """Return those of a thread's branch, a task or a chat by its stream, or of a session by its id."""
    return tuple(c for c in checkpoints if stream in {c.stream, c.session_id})
