"""Rules of turns: which conversation is next, what follows its turn, and who may stop or switch it."""

from domain.agents.agents import READERS, PromptName, SessionRole, TurnResult
from domain.agents.limits.budgets import context_warning, exhausted, warnings
from domain.conversations.checks import check_open
from domain.conversations.commands import (
    BeginTurn,
    EndTurn,
    SkipWait,
    StopTurn,
    SwitchAgent,
)
from domain.conversations.conversation import COMPACT, Conversation
from domain.conversations.events import ContextCompacted, TurnEnded, TurnStarted
from domain.conversations.questions.turns import deliver_late_answers
from domain.conversations.turns import (
    compaction,
    hold_turn,
    replace_lost_context,
    skip_wait,
    stop_turn,
    switch_agent,
    turn_id,
)
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.notices import ResourceWarned
from domain.tasks import events as task_events
from domain.tasks.outcomes import after_turn, failed, reverified, verification
from domain.tasks.planning import after_planner, after_reviewer
from domain.tasks.registry import TASK_RULES
from domain.tasks.reviewers import due_reviewer, next_review_prompt
from domain.tasks.reviews import after_review
from domain.tasks.state import PLANNING, Phase, TaskState
from domain.tasks.terminals import ends

OUTPUT_LIMIT = 4_000
_IDLE = frozenset({Phase.AT_GATE, Phase.AT_PLAN, Phase.WAITING})


def next_conversation(state: TaskState) -> Conversation | None:
    """Return the conversation that is next, None while none is; one at a time works in the directory."""
    if state.phase in _IDLE or state.phase is Phase.WORKING:
        everyone = state.conversations.values()
        asked = (c for c in everyone if c.role is SessionRole.CHAT and c.messages)
        if (chat := next(asked, None)) is not None:
            return chat
    if state.phase is Phase.WORKING:
        return state.worker
    if state.phase is Phase.PLANNING:
        return state.newest(SessionRole.TASK_PLANNER)
    if state.phase is Phase.REVIEWING:
        return state.newest(SessionRole.REVIEWER)
    return due_reviewer(state)


def next_prompt(state: TaskState, conversation: Conversation) -> str:
    """Return the name of the prompt that a conversation is given next."""
    compacted = _compaction(state, conversation)
    if compacted is not None and compacted.command:
        return COMPACT
    if conversation.role is SessionRole.CHAT:
        return "message"
    if conversation.role is SessionRole.REVIEWER:
        return PromptName.TASK_PLAN_REVIEW
    if conversation.role is SessionRole.CODE_REVIEWER:
        return next_review_prompt(state)
    if conversation.role is SessionRole.TASK_PLANNER and state.planning is not None:
        return state.planning.next_prompt
    return state.next_prompt


def _compaction(state: TaskState, conversation: Conversation) -> ContextCompacted | None:
    """Return how a full context is compacted; a review's few turns go on as they are."""
    if conversation.role is SessionRole.CODE_REVIEWER:
        return None
    return compaction(state.budget, conversation)


@TASK_RULES.handles(BeginTurn)
def begin_turn(state: TaskState) -> Decided:
    conversation = next_conversation(state)
    if conversation is None or state.turn is not None:
        return Decided()
    reason = exhausted(state.budget, state.spent)
    if reason and conversation.role not in {SessionRole.CHAT, SessionRole.CODE_REVIEWER}:
        return Decided((failed(reason),))
    compacted = _compaction(state, conversation)
    started = TurnStarted(
        session_id=conversation.session_id,
        turn_id=turn_id(conversation),
        number=conversation.turns + 1,
        attempt=len(state.attempts) + 1,
        prompt_name=next_prompt(state, conversation),
    )
    return Decided((compacted, started) if compacted else (started,))


@TASK_RULES.handles
def end_turn(command: EndTurn, state: TaskState) -> Decided:
    result, late = command.result, state.cut_short
    if late is not None and result.turn_id == late.turn_id:
        # what is kept of its work is the thread's to say; here it counts alone
        whose = state.conversations[late.session_id]
        return Decided((_turn_ended(result.model_copy(update={"snapshot": None}), whose),))
    turn, conversation = state.turn, state.running
    if turn is None or conversation is None or result.turn_id != turn.turn_id:
        return Decided()
    if (held := hold_turn(state, turn, result)) is not None:
        return held
    events: list[EventBody] = [*deliver_late_answers(state, result)]
    is_work = conversation.role is SessionRole.TASK and not conversation.is_compacting
    if is_work and result.report is not None and state.report is None:
        events.append(task_events.ReportReceived(report=result.report))
    events.append(_turn_ended(result, conversation))
    if result.terminals is not None:
        events += ends(state, result.terminals)
    after = TASK_RULES.fold(state, events)
    events += [
        ResourceWarned(message=text) for text in _warnings(state, after, conversation, result)
    ]
    return Decided((*events, *_reactions(state, after, conversation, result)))


def _turn_ended(result: TurnResult, conversation: Conversation) -> TurnEnded:
    """Return the end of a turn, with the end of what its agent said where that is shown."""
    text = "" if conversation.role in READERS else result.text[-OUTPUT_LIMIT:]
    journaled = {"text": text, "report": None, "terminals": None, "sandbox": ""}
    return TurnEnded(session_id=conversation.session_id, result=result.model_copy(update=journaled))


def _warnings(
    state: TaskState, after: TaskState, conversation: Conversation, result: TurnResult
) -> list[str]:
    name = conversation.session_id
    texts = [*warnings(state.budget, state.spent, after.spent)]
    now = after.conversations[name].context
    texts += context_warning(state.budget, conversation.context, now)
    if result.discarded:
        files = ", ".join(result.discarded[:10])
        texts.append(f"{name} changed files that it may only read; discarded: {files}")
    if result.failure is not None and conversation.role is SessionRole.CHAT:
        texts.append(f"{name}: {result.failure[:1_000]}")
    return texts


def _reactions(
    state: TaskState, after: TaskState, conversation: Conversation, result: TurnResult
) -> tuple[EventBody, ...]:
    lost = replace_lost_context(state.budget, conversation, result)
    if conversation.role is SessionRole.CHAT:
        return (*lost, *reverified(state, after))
    if conversation.role is SessionRole.REVIEWER:
        return after_reviewer(after, result)
    if conversation.role is SessionRole.CODE_REVIEWER:
        return after_review(after, result)
    if result.failure is not None:
        return (failed(result.failure),)
    if conversation.is_compacting:
        return lost
    return after_planner(after, result) if state.phase in PLANNING else after_turn(after, result)


@TASK_RULES.handles
def skip_wait_or_review_again(command: SkipWait, state: TaskState) -> Decided:
    if state.is_review_held:
        return Decided(verification(state), Answer(message="verifying everything again"))
    return skip_wait(command, state)


@TASK_RULES.handles
def change_agent(command: SwitchAgent, state: TaskState) -> Decided:
    check_open(state)
    conversation = state.running if state.turn is not None and state.turn.is_held else None
    if conversation is None and state.phase in PLANNING:
        conversation = state.newest(SessionRole.TASK_PLANNER)
    if conversation is None and state.is_review_held:
        conversation = state.newest(SessionRole.CODE_REVIEWER)
    conversation = conversation or state.worker
    if conversation is None:
        raise WrongStateError("the task has not begun")
    switched = switch_agent(command, conversation, state.turn)
    if not switched.events or not state.is_review_held:
        return switched
    again = verification(TASK_RULES.fold(state, switched.events))
    return Decided((*switched.events, *again), Answer(message=f"{command.agent} reviews it next"))


@TASK_RULES.handles
def stop_turn_or_review(command: StopTurn, state: TaskState) -> Decided:
    stopped = stop_turn(command, state)
    over = next((event for event in stopped.events if isinstance(event, TurnEnded)), None)
    if over is None:
        return stopped
    # only a review's end is followed by something: the others wait for a message
    more = after_review(TASK_RULES.fold(state, stopped.events), over.result)
    return stopped._replace(events=(*stopped.events, *more))
