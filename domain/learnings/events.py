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
    """A task that completed had learned this; the repository keeps it."""

    kind: Literal["learning_kept"] = "learning_kept"
    learning_id: str
    project: str
    learning: LearningKind
    text: str
    origin: Origin


class LearningsOffered(EventBody):
    """A prompt told an agent of these learnings; in the session's stream, and in the repository's."""

    kind: Literal["learnings_offered"] = "learnings_offered"
    learning_ids: tuple[str, ...]
    session_id: SessionId
    thread_id: ThreadId


class LearningCited(EventBody):
    """An agent or a person said that learnings helped; of agents only what their thread was offered counts."""

    kind: Literal["learning_cited"] = "learning_cited"
    learning_ids: tuple[str, ...]
    thread_id: ThreadId = ThreadId("")
    by: str = ""


class LearningPinned(EventBody):
    """A person said that a learning stays although nobody uses it, or is offered again; or, not `is_pinned`, that it may expire."""

    kind: Literal["learning_pinned"] = "learning_pinned"
    learning_id: str
    is_pinned: bool = True
    by: str = ""


class LearningRemoved(EventBody):
    """A person removed a learning: no agent is told of it any more, even if a task learns it again."""

    kind: Literal["learning_removed"] = "learning_removed"
    learning_id: str
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
