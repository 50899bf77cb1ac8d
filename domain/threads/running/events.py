"""Events of a running plan that are neither a status nor an end."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId
from domain.core.progress import TaskProgress
from domain.plans.supervision import Advice, ConcernKind
from domain.tasks.learnings import Learning, LearningEvidence, LearningRecorded, LearningsUsed
from domain.threads.running.state import Occurrence


class TaskProgressed(EventBody):
    """A run of a task told how far it is; its own stream has the whole of it."""

    kind: Literal["task_progressed"] = "task_progressed"
    progress: TaskProgress
    at: datetime | None = None


class AutoSet(EventBody):
    """A person switched the automatic start of plans on or off."""

    kind: Literal["auto_set"] = "auto_set"
    is_on: bool
    by: str = ""


class CoordinatorNamed(EventBody):
    """A plan's session that knows all its tasks; messages to the thread go to it."""

    kind: Literal["coordinator_named"] = "coordinator_named"
    plan_id: str
    session_id: SessionId


class TaskEnriched(EventBody):
    """The coordinator gave a task that has not started something to know."""

    kind: Literal["task_enriched"] = "task_enriched"
    plan_id: str
    task_id: TaskId
    text: str
    session_id: SessionId


class Recommended(EventBody):
    """The coordinator advises the person; nothing happens before they do it."""

    kind: Literal["recommended"] = "recommended"
    plan_id: str
    advice: Advice
    task_id: TaskId | None = None
    run: int = 0
    reason: str
    session_id: SessionId


class LearningsAdded(EventBody):
    """A task completed, and what it found out is the thread's now."""

    kind: Literal["learnings_added"] = "learnings_added"
    plan_id: str
    task_id: TaskId
    run: int
    learnings: tuple[Learning, ...]
    evidence: LearningEvidence = Field(
        default=LearningEvidence(), exclude_if=lambda evidence: evidence == LearningEvidence()
    )


class LearningsPromoted(EventBody):
    """A thread merged the learnings that it promotes into AGENTS.md; people approved it at its gate."""

    kind: Literal["learnings_promoted"] = "learnings_promoted"
    learning_ids: tuple[str, ...]
    commit: str
    approved_by: tuple[str, ...] = ()


class TaskWatched(EventBody):
    """When it is looked next whether a run of a task is still heard of."""

    kind: Literal["task_watched"] = "task_watched"
    task_id: TaskId
    run: int
    heard_at: datetime
    look_at: datetime


class SupervisionRaised(EventBody):
    """Something about a run of a task worries; once for each concern and run."""

    kind: Literal["supervision_raised"] = "supervision_raised"
    plan_id: str
    concern: ConcernKind
    task_id: TaskId
    run: int = 0
    message: str
    advice: Advice


class CheckpointChosen(EventBody):
    """A person wants the next run of a task to begin with the files of a checkpoint.

    `position` is that of the event that tells of it.
    """

    kind: Literal["checkpoint_chosen"] = "checkpoint_chosen"
    task_id: TaskId
    run: int
    commit: str
    position: int = 0
    by: str = ""


class OwnTurnDue(EventBody):
    """Something happened that the thread's agent is told of, at this moment with all that happened by then."""

    kind: Literal["own_turn_due"] = "own_turn_due"
    at: datetime


class OwnTurnTaken(EventBody):
    """The thread's agent takes a turn without a message, its `number`th, because of what happened."""

    kind: Literal["own_turn_taken"] = "own_turn_taken"
    plan_id: str
    session_id: SessionId
    key: str
    number: int
    left: int = 0
    causes: tuple[Occurrence, ...]


class OwnTurnEnded(EventBody):
    """A turn that the thread's agent took without a message is over."""

    kind: Literal["own_turn_ended"] = "own_turn_ended"
    session_id: SessionId
    key: str
    failure: str = ""


class OwnTurnsSet(EventBody):
    """A person said how many more turns the thread's agent may take without a message."""

    kind: Literal["own_turns_set"] = "own_turns_set"
    turns: int
    by: str = ""


RunningEvent = (
    TaskProgressed
    | AutoSet
    | CoordinatorNamed
    | TaskEnriched
    | Recommended
    | LearningRecorded
    | LearningsAdded
    | LearningsUsed
    | LearningsPromoted
    | TaskWatched
    | SupervisionRaised
    | CheckpointChosen
    | OwnTurnDue
    | OwnTurnTaken
    | OwnTurnEnded
    | OwnTurnsSet
)
