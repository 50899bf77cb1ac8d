"""Whose review is due in a run of a task: its step, its session, and what came before it."""

from datetime import timedelta

from domain.agents.agents import PromptName, SessionRole
from domain.conversations.conversation import Conversation
from domain.conversations.events import ConversationOpened
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.tasks.state import Phase, TaskState
from domain.verification.steps import StepResult, StepType, VerificationStep, next_step


def due_review(state: TaskState) -> VerificationStep | None:
    """Return the review that the attempt needs next, None while it needs another step or none."""
    if state.phase is not Phase.VERIFYING or state.attempt is None:
        return None
    step = next_step(state.steps, state.attempt)
    return step if step is not None and step.type is StepType.REVIEW_AGENT else None


def due_reviewer(state: TaskState) -> Conversation | None:
    """Return the session that makes the review that is due."""
    reviewing = state.reviewing
    if reviewing is None or due_review(state) is None:
        return None
    return state.conversations.get(reviewing.session_id)


def reviewer_opened(state: TaskState) -> tuple[EventBody, ...]:
    """Return the opening of a session for a review that is due: each is made with fresh eyes."""
    step, attempt = due_review(state), state.attempt
    if step is None or attempt is None:
        return ()
    agent, model = _agent_of(step, state)
    opened = ConversationOpened(
        session_id=SessionId(f"{state.session_id}-review-{attempt.attempt}-{step.id}"),
        role=SessionRole.CODE_REVIEWER,
        agent=agent,
        model=model,
        commit=state.snapshot.commit if state.snapshot else None,
        by="treadle",
    )
    return (opened,)


def _agent_of(step: VerificationStep, state: TaskState) -> tuple[str, str | None]:
    """Return who reviews: who did before, as a person may have switched the agent.

    Else the step's agent, the thread's for reviews, the task's own.
    """
    for conversation in reversed(state.conversations.values()):
        if conversation.role is SessionRole.CODE_REVIEWER and conversation.session_id.endswith(
            f"-{step.id}"
        ):
            return conversation.agent, conversation.model
    if step.agent:
        return step.agent, step.model
    worker = state.worker
    own = (worker.agent, worker.model) if worker else ("", None)
    agent, model = (state.code_reviewer, state.code_reviewer_model) if state.code_reviewer else own
    return agent, step.model or model


def next_review_prompt(state: TaskState) -> PromptName:
    """Return the prompt of the reviewer's next turn."""
    is_first = state.reviewing is None or state.reviewing.missed == 0
    return PromptName.REVIEW if is_first else PromptName.REVIEW_MISSING


def earlier_review(state: TaskState, step: VerificationStep) -> StepResult | None:
    """Return what the newest review before this one gave, by the same step."""
    results = (attempt.result_of(step.id) for attempt in reversed(state.attempts))
    return next((r for r in results if r is not None and r.is_executed), None)


def known_approval(state: TaskState) -> StepResult | None:
    """Return what the review that is due gave of the very same files before, where it approved them."""
    step, attempt = due_review(state), state.attempt
    if step is None or attempt is None or attempt.tree is None:
        return None
    same = (known for known in reversed(state.attempts[:-1]) if known.tree == attempt.tree)
    results = (known.result_of(step.id) for known in same)
    return next((r for r in results if r is not None and r.passed), None)


def time_left(state: TaskState) -> timedelta | None:
    """Return how long the running turn may take: the rest of its review's time, else no limit."""
    step, reviewing = due_review(state), state.reviewing
    if step is None or reviewing is None or state.running_session != reviewing.session_id:
        return None
    return max(step.limit - timedelta(milliseconds=reviewing.work_ms), timedelta(milliseconds=1))
