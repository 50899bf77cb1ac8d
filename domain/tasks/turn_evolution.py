"""How turns, their delays and their sessions change a task, besides what conversations share."""

from domain.agents.agents import PromptName, SessionRole, StopReason
from domain.agents.spending import Taken, taken_by
from domain.conversations.conversation import COMPACT, Conversation, open_conversation
from domain.conversations.events import (
    ConversationOpened,
    TurnDelayed,
    TurnEnded,
    TurnSlept,
    TurnStarted,
)
from domain.conversations.questions.question import QuestionKind
from domain.core.ids import SessionId
from domain.core.notices import ResourceWarned
from domain.tasks.events import TaskEnd
from domain.tasks.registry import TASK_RULES
from domain.tasks.stages import Reviewing
from domain.tasks.state import PLANNING, Phase, TaskState

MAX_WARNINGS = 20
MAX_REVIEWERS = 20

Update = dict[str, object]


@TASK_RULES.evolves
def apply_conversation_opened(event: ConversationOpened, state: TaskState) -> TaskState:
    opened = open_conversation(event)
    changes: Update = {"conversations": {**_kept(state), opened.session_id: opened}}
    if event.role is SessionRole.CODE_REVIEWER:
        changes["reviewing"] = Reviewing(session_id=opened.session_id)
    return state.model_copy(update=changes)


def _kept(state: TaskState) -> dict[SessionId, Conversation]:
    """Return the conversations without the oldest of many reviewers: each review has its own."""
    everyone = state.conversations
    reviewers = [c.session_id for c in everyone.values() if c.role is SessionRole.CODE_REVIEWER]
    is_full = len(reviewers) >= MAX_REVIEWERS
    dropped = reviewers[: len(reviewers) - MAX_REVIEWERS + 1] if is_full else []
    return {name: each for name, each in everyone.items() if name not in dropped}


@TASK_RULES.evolves
def apply_turn_started(event: TurnStarted, state: TaskState) -> TaskState:
    changes: Update = {}
    if event.session_id == state.session_id and event.prompt_name != COMPACT:
        changes |= {"report": None, "is_blocked": False}
    own = state.conversation_of(event.session_id)
    if state.planning is not None and own is not None and own.role is SessionRole.TASK_PLANNER:
        changes["planning"] = state.planning.model_copy(update={"is_proposed": False})
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_turn_held(event: TurnDelayed | TurnSlept, state: TaskState) -> TaskState:
    return state.model_copy(update=_with_taken(state, event.taken, event.session_id))


def _with_taken(state: TaskState, taken: Taken | None, session_id: SessionId) -> Update:
    """Return what changes by the part of a turn that is held, or was cut short: it is no turn."""
    if taken is None:
        return {}
    own = state.conversations.get(session_id)
    is_review = own is not None and own.role is SessionRole.CODE_REVIEWER
    spent = state.spent if is_review else state.spent.after(taken.usage)
    return {
        "spent": spent.model_copy(update={"turns": state.spent.turns}),
        "stats": state.stats.plus(taken),
        "work_ms": state.work_ms + taken.duration_ms,
    }


@TASK_RULES.evolves
def apply_resource_warned(event: ResourceWarned, state: TaskState) -> TaskState:
    return state.model_copy(update={"warnings": (*state.warnings, event.message)[-MAX_WARNINGS:]})


@TASK_RULES.evolves
def apply_turn_ended(event: TurnEnded, state: TaskState) -> TaskState:
    own, result = state.conversations.get(event.session_id), event.result
    if own is None:
        return state
    if state.end is not None:
        late: Update = {"cut_short": None, **_with_taken(state, taken_by(result), own.session_id)}
        if state.end is TaskEnd.CANCELLED:  # what it had done when it was stopped can be read
            late["snapshot"] = result.snapshot or state.snapshot
        return state.model_copy(update=late)
    is_review = own.role is SessionRole.CODE_REVIEWER
    spent = state.spent if is_review else state.spent.after(result.usage)
    if own.is_compacting:
        spent = spent.model_copy(update={"turns": state.spent.turns})
    changes: Update = {
        "snapshot": result.snapshot or state.snapshot,
        "spent": spent,
        "stats": state.stats.plus(taken_by(result)),
        "work_ms": state.work_ms + result.duration_ms,
    }
    if is_review and state.reviewing is not None:
        took = state.reviewing.work_ms + result.duration_ms
        changes["reviewing"] = state.reviewing.model_copy(update={"work_ms": took})
    if own.is_compacting or is_review or own.role is SessionRole.CHAT:
        return state.model_copy(update=changes)
    if own.role is SessionRole.TASK:
        changes |= _after_work(event, state)
    elif own.role is SessionRole.TASK_PLANNER:
        changes |= _after_planning(event, state)
    elif result.stop_reason is StopReason.CANCELLED:
        changes |= _stopped(state)
    return state.model_copy(update=changes)


def _stopped(state: TaskState) -> dict[str, object]:
    resumes = Phase.PLANNING if state.phase in PLANNING else Phase.WORKING
    return {"phase": Phase.WAITING, "resumes": resumes, "reason": "the turn was stopped"}


def _after_work(event: TurnEnded, state: TaskState) -> dict[str, object]:
    changes: dict[str, object] = {"output": event.result.text, "reason": ""}
    if state.messages:
        changes |= {"next_prompt": PromptName.MESSAGE}
    elif event.result.stop_reason == StopReason.CANCELLED:
        changes |= _stopped(state)
    elif state.is_blocked and state.report is not None:
        changes |= {
            "phase": Phase.WAITING,
            "resumes": Phase.WORKING,
            "reason": state.report.summary,
        }
    elif _decides(state):
        changes |= {"phase": Phase.WAITING, "resumes": Phase.WORKING}
    elif state.report is None:
        changes |= {"next_prompt": PromptName.REPORT_MISSING, "nudges": state.nudges + 1}
    elif event.result.snapshot is not None and event.result.snapshot.unresolved:
        changes |= {"next_prompt": PromptName.CONFLICT, "nudges": state.nudges + 1}
    return changes


def _decides(state: TaskState) -> bool:
    """Tell whether the turn that ends has left a decision to the person."""
    return bool(state.questions.open_of(state.running_session, QuestionKind.DECISION))


def _after_planning(event: TurnEnded, state: TaskState) -> dict[str, object]:
    planning = state.planning
    if planning is None:
        return {}
    if state.messages:
        return {"planning": planning.model_copy(update={"next_prompt": PromptName.MESSAGE})}
    if event.result.stop_reason == StopReason.CANCELLED:
        return _stopped(state)
    if _decides(state):
        return {"phase": Phase.WAITING, "resumes": Phase.PLANNING}
    if planning.is_proposed:
        return {}
    missing = {"next_prompt": PromptName.TASK_PLAN_MISSING, "nudges": planning.nudges + 1}
    return {"planning": planning.model_copy(update=missing)}
