"""How far a run of a task is, as it tells its thread after each turn, verification and port."""

from pydantic import Field

from domain.core.ids import RequestId, TaskId
from domain.core.wire import Wire

MAX_FILES = 200


class ReadyGate(Wire):
    """The gate of verified work that is one of several to choose from; `passes` says that a policy may take it."""

    request_id: RequestId
    content_hash: str
    attempt: int = 0
    passes: bool = False


class TaskProgress(Wire):
    """What a run of a task has come to.

    `doing` is a phrase for people. `waits_for` is what it waits for without any work, a person or a
    limit, `asks` what of a person; with `is_over_limit` that is a spending limit, which is reached. `is_blocked`
    tells that its agent said so. `files` are the first 200 that its newest commit changed,
    `insertions` and `deletions` the lines of all. `turns` are those of the run, `session_turns` all that
    its session has taken. One with a smaller `order` than another is the older one. `gate` is that of a candidate
    whose work waits to be chosen.
    """

    task_id: TaskId
    run: int
    doing: str = ""
    is_planning: bool = False
    waits_for: str = ""
    asks: str = ""
    is_blocked: bool = False
    turns: int = 0
    session_turns: int = 0
    attempts: int = 0
    failed_in_a_row: int = 0
    failed_steps: tuple[str, ...] = ()
    commit: str | None = None
    tree: str | None = None
    files: tuple[str, ...] = ()
    insertions: int = 0
    deletions: int = 0
    ports: dict[str, int] = {}
    tokens: int = 0
    order: int = 0
    is_over_limit: bool = Field(default=False, exclude_if=lambda is_over: not is_over)
    gate: ReadyGate | None = Field(default=None, exclude_if=lambda gate: gate is None)

    def is_older(self, than: "TaskProgress | None") -> bool:
        """Tell whether it came late: what the same run has come to since was told before."""
        return than is not None and self.run == than.run and self.order < than.order


def presumed(task_id: TaskId, run: int) -> TaskProgress:
    """Return what a thread takes for granted of a run that it has not heard of: no word is sent."""
    return TaskProgress(task_id=task_id, run=run, doing="turn 1", turns=1)
