"""Events of a repository's learnings. Their stream stays when the threads that they are from are gone."""

from datetime import datetime
from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId, ThreadId
from domain.core.wire import Wire
from domain.tasks.learnings import LearningEvidence, LearningKind


class Origin(Wire):
    """Where a learning is from: a run of a task that passed its verification."""

    thread_id: ThreadId
    task_id: TaskId = TaskId("")
    run: int = 1
    at: datetime
    evidence: LearningEvidence = LearningEvidence()


class LearningKept(EventBody):
    """A completed task learned this; it is kept for the repository."""

    kind: Literal["learning_kept"] = "learning_kept"
    learning_id: str
    project: str
    learning: LearningKind
    text: str
    origin: Origin


class LearningsOffered(EventBody):
    """A prompt offered these learnings to an agent; in the session's stream, and in the repository's."""

    kind: Literal["learnings_offered"] = "learnings_offered"
    learning_ids: tuple[str, ...]
    session_id: SessionId
    thread_id: ThreadId


class LearningCited(EventBody):
    """An agent or a person said that learnings helped; agents can only name what their thread was offered."""

    kind: Literal["learning_cited"] = "learning_cited"
    learning_ids: tuple[str, ...]
    thread_id: ThreadId = ThreadId("")
    by: str = ""


class LearningPinned(EventBody):
    """A person keeps a learning, or has it offered again; or, if not `is_pinned`, lets it expire again."""

    kind: Literal["learning_pinned"] = "learning_pinned"
    learning_id: str
    is_pinned: bool = True
    by: str = ""


class LearningRemoved(EventBody):
    """A person removed a learning: agents no longer get it, even if a task learns it again."""

    kind: Literal["learning_removed"] = "learning_removed"
    learning_id: str
    by: str = ""


class PromotionClaimed(EventBody):
    """A thread is being opened that promotes learnings; until it is, no other one promotes them."""

    kind: Literal["promotion_claimed"] = "promotion_claimed"
    learning_ids: tuple[str, ...]
    thread_id: ThreadId
    by: str = ""


class PromotionDropped(EventBody):
    """The thread that was to promote learnings could not be opened."""

    kind: Literal["promotion_dropped"] = "promotion_dropped"
    thread_id: ThreadId
    by: str = ""


class PromotionStarted(EventBody):
    """A person asked for learnings to go into AGENTS.md; the thread proposes the change."""

    kind: Literal["promotion_started"] = "promotion_started"
    learning_ids: tuple[str, ...]
    thread_id: ThreadId
    by: str = ""


class PromotionMerged(EventBody):
    """The change of AGENTS.md was approved at its gate and merged into the thread's branch."""

    kind: Literal["promotion_merged"] = "promotion_merged"
    learning_ids: tuple[str, ...]
    thread_id: ThreadId
    commit: str
    approved_by: tuple[str, ...] = ()
