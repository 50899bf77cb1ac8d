"""Which threads stand above a thread: nodes of a plan may be threads."""

import hashlib

from pydantic import Field

from domain.core.autonomy import Autonomy
from domain.core.errors import CycleError, TooDeepError
from domain.core.ids import TaskId, ThreadId
from domain.core.wire import Wire
from domain.plans.plan import MAX_DEPTH

MAX_CHILD_ID = 80
_DIGEST = 6


class ParentThread(Wire):
    """Whose node a thread is: the run of a task; `above` are all threads above it, the parent last.

    `autonomy` is what a person chose for the parent's plan: the child's runs as freely, where nobody
    chooses anew. With `promotes` the uppermost thread is to bring learnings into AGENTS.md.
    """

    thread_id: ThreadId
    task_id: TaskId
    run: int = 1
    above: tuple[ThreadId, ...] = ()
    autonomy: Autonomy | None = None
    promotes: bool = Field(default=False, exclude_if=lambda promotes: not promotes)

    @property
    def depth(self) -> int:
        """How many threads stand above the child."""
        return len(self.above)


def child_id(parent: ThreadId, task_id: TaskId, run: int, depth: int) -> ThreadId:
    """Return the id of the child thread that a run of a task is, `<parent>-<task id>`.

    A later run, a child's own child, and what is too long get a digest behind it, so that no two
    nodes have one id. `depth` is how many threads stand above the parent.
    """
    plain = f"{parent}-{task_id}"
    if run == 1 and depth == 0 and len(plain) <= MAX_CHILD_ID:
        return ThreadId(plain)
    digest = hashlib.sha256(f"{parent}/{task_id}/{run}".encode()).hexdigest()[:_DIGEST]
    return ThreadId(f"{plain[: MAX_CHILD_ID - _DIGEST - 1].rstrip('-')}-{digest}")


def check_ancestry(thread_id: ThreadId, parent: ParentThread | None) -> None:
    """Refuse a thread that stands above itself, or below too many.

    Raises:
        CycleError: It does; with the path.
        TooDeepError: More than three threads stand above it.
    """
    if parent is None:
        return
    path = (*parent.above, thread_id)
    if len(set(path)) < len(path):
        raise CycleError(f"a thread can't be its own child: {' → '.join(path)}")
    if parent.depth > MAX_DEPTH:
        raise TooDeepError(
            f"{parent.depth} threads stand above {thread_id!r}, at most {MAX_DEPTH}: make it a task"
        )
