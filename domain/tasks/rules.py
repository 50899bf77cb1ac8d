"""The rules of a task: which events a command gives, and what must happen next.

A turn ends an agent's speech; only `report_done` and the system's own verification move a task on.
Rework is always verified again: the only way to the gate is a
verification that passed on the tree that the gate shows.
"""

from datetime import datetime
from functools import reduce

from domain.agents.agents import Prompt, SessionRole
from domain.conversations.commands import OpenSession, SendMessage
from domain.conversations.events import ConversationOpened, MessageQueued
from domain.conversations.messages import A_PERSON
from domain.core.approvals import Choice, Subject
from domain.core.command import Answer, Verdict
from domain.core.decisions import Decided, answer_of, refuse_flood, settle_verdict
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId, TurnId
from domain.core.wire import Wire
from domain.tasks import events as task_events
from domain.tasks import plan_events, reports, withdrawal
from domain.tasks.agent_commands import RecordLearning
from domain.tasks.checks import check_agent, ended
from domain.tasks.commands import EndStep, OpenTask
from domain.tasks.dispatch import dispatch, handles
from domain.tasks.evolution import evolve
from domain.tasks.learnings import MAX_OF_A_RUN, Learning, LearningKind, LearningRecorded
from domain.tasks.outcomes import accepted, after_opening, onward
from domain.tasks.planning import open_planner
from domain.tasks.questions import withdraw_before_message, withdraw_questions
from domain.tasks.reviewers import due_review
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.tasks.turns import next_conversation
from domain.verification.steps import StepType, VerificationStep, next_step

MAX_CONVERSATIONS = 20
MODULES = (reports, withdrawal)
"""The others that register rules of commands."""


class RunTurn(Wire):
    """An agent must be given its next turn, or the one that was refused goes on."""

    session_id: SessionId
    number: int
    refusals: int = 0


class RunStep(Wire):
    """A verification step must run."""

    attempt: int
    step: VerificationStep


class AwaitProvider(Wire):
    """The running turn must wait until its provider takes turns again."""

    turn_id: TurnId
    refusals: int
    until: datetime


Todo = RunTurn | RunStep | AwaitProvider | None


def todo(state: TaskState) -> Todo:
    """Return what must happen next; None while somebody else is awaited, or when it is over."""
    if state.end is not None:
        return None
    turn = state.turn
    if turn is not None and turn.delay is not None:
        return AwaitProvider(turn_id=turn.turn_id, refusals=turn.refusals, until=turn.delay.until)
    if turn is not None and turn.is_asleep:
        return None
    if turn is not None:
        number = state.conversations[turn.session_id].turns
        return RunTurn(session_id=turn.session_id, number=number, refusals=turn.refusals)
    if state.phase is Phase.VERIFYING and state.attempt is not None and due_review(state) is None:
        step = next_step(state.steps, state.attempt)
        return RunStep(attempt=state.attempt.attempt, step=step) if step else None
    conversation = next_conversation(state)
    return (
        RunTurn(session_id=conversation.session_id, number=conversation.turns + 1)
        if conversation
        else None
    )


def decide(state: TaskState, command: Wire) -> Decided:
    """Return the events of a command.

    Raises:
        WrongStateError: The task has ended, or is not where the command makes sense.
        InvalidError: The command names something that the task does not have.
        NotFoundError, AlreadyDecidedError, NotShownError: See `settle_verdict`.
    """
    decided = dispatch(command, state)
    after = reduce(evolve, decided.events, state)
    withdrawn = withdraw_questions(state, after)
    return decided._replace(events=(*decided.events, *withdrawn)) if withdrawn else decided


@handles
def _open_task(command: OpenTask, state: TaskState) -> Decided:
    del state
    opened = task_events.TaskOpened(**dict(command))
    events: list[EventBody] = [opened]
    if command.plan_approval is not None:
        events.append(open_planner(command))
    # what a person resolved by hand is verified before any turn
    return Decided((*events, *after_opening(evolve(TaskState(), opened))))


@handles
def _end_step(command: EndStep, state: TaskState) -> Decided:
    attempt = state.attempt
    if state.phase is not Phase.VERIFYING or attempt is None or attempt.attempt != command.attempt:
        return Decided()
    expected = next_step(state.steps, attempt)
    if expected is None or expected.id != command.result.step_id:
        return Decided()
    if expected.type is StepType.REVIEW_AGENT:
        return Decided()  # only a reviewer's turn ends a review
    ended = task_events.VerificationStepEnded(attempt=command.attempt, result=command.result)
    return Decided((ended, *onward(evolve(state, ended))))


@handles
def _verdict(command: Verdict, state: TaskState) -> Decided:
    outcome = settle_verdict(command, state.request, state.outcomes)
    if outcome is None or state.request is None:
        return Decided(answer=answer_of(state.outcomes[command.request_id]))
    if state.request.subject is Subject.TASK_PLAN:
        return Decided((plan_events.TaskPlanDecided(outcome=outcome),), answer_of(outcome))
    events: tuple[EventBody, ...] = (task_events.GateDecided(outcome=outcome),)
    if outcome.choice is Choice.APPROVE:
        events = (*events, accepted())
    return Decided(events, answer_of(outcome))


@handles
def _abort(command: Abort, state: TaskState) -> Decided:
    if state.end is not None:
        if state.end is task_events.TaskEnd.CANCELLED:
            return Decided(answer=Answer(message="already aborted"))
        raise ended(state)
    by = command.by or A_PERSON
    over = task_events.TaskEnded(end=task_events.TaskEnd.CANCELLED, reason=f"aborted by {by}")
    return Decided((task_events.TaskAborted(by=by), over), Answer(message="aborted"))


@handles
def _open_session(command: OpenSession, state: TaskState) -> Decided:
    if state.end is not None:
        raise ended(state)
    made = sum(
        conversation.role is SessionRole.CODE_REVIEWER
        for conversation in state.conversations.values()
    )
    if len(state.conversations) - made >= MAX_CONVERSATIONS:
        raise WrongStateError(f"a run has at most {MAX_CONVERSATIONS} sessions: use one of them")
    worker = state.worker
    number = (
        sum(conversation.role is SessionRole.CHAT for conversation in state.conversations.values())
        + 2
    )
    session_id = SessionId(f"{state.session_id}-{number}")
    opened = ConversationOpened(
        session_id=session_id,
        role=SessionRole.CHAT,
        agent=command.agent or (worker.agent if worker else ""),
        model=command.model if command.agent else (worker.model if worker else None),
        options=command.options,
        by=command.by,
    )
    answer = Answer(message=f"opened {session_id}", data={"session_id": session_id})
    return Decided((opened,), answer)


@handles
def _send_message(command: SendMessage, state: TaskState) -> Decided:
    if command.command_id and command.command_id in state.seen_messages:
        return Decided(answer=Answer(message="already queued"))
    if state.end is not None:
        raise ended(state)
    conversation = _addressed(command, state)
    waiting = state.messages if conversation is None else state.conversations[conversation].messages
    refuse_flood((message.text for message in waiting), command.text)
    number = len(state.seen_messages) + 1
    message_id = command.command_id or f"message-{number}"
    queued = MessageQueued(
        session_id=conversation or SessionId(""),
        message_id=message_id,
        prompt=Prompt(fields={"text": command.text}, attachments=command.attachments),
        by=command.by,
    )
    words = "queued"
    if conversation is None and state.report is not None and not state.is_blocked:
        words = "queued: the agent had reported that it is done, and works on with this"
    answer = Answer(message=words, data={"message_id": message_id})
    return Decided((*withdraw_before_message(state, conversation), queued), answer)


def _addressed(command: SendMessage, state: TaskState) -> SessionId | None:
    """Return the session that a message is for, None for the one that plans or does the work."""
    conversation = (
        state.conversations.get(command.session_id) if command.session_id else state.worker
    )
    if conversation is None:
        known = ", ".join(state.conversations)
        raise NotFoundError(f"this run's sessions are {known}, not {command.session_id!r}")
    if conversation.role is SessionRole.CHAT:
        return conversation.session_id
    if conversation.role is SessionRole.REVIEWER:
        raise WrongStateError("the reviewer only reviews: say it to the planner")
    if conversation.role is SessionRole.CODE_REVIEWER:
        raise WrongStateError("the reviewer only reviews: say it to the task's agent")
    if state.phase is Phase.AT_GATE:
        raise WrongStateError("the task waits at its gate: reject it with your text as feedback")
    if state.phase is Phase.AT_PLAN:
        raise WrongStateError("the task's plan waits: reject it with your text as feedback")
    return None


@handles
def _record_learning(command: RecordLearning, state: TaskState) -> Decided:
    check_agent(command, state)
    kind, text = LearningKind(command.learning), command.text.strip()
    if any((known.learning, known.text) == (kind, text) for known in state.learned):
        return Decided(answer=Answer(message="Already recorded."))
    if len(state.learned) >= MAX_OF_A_RUN:
        raise WrongStateError(
            f"a run records at most {MAX_OF_A_RUN} learnings: the best are enough"
        )
    task_id = state.task.id if state.task else TaskId("")
    learning = Learning(learning=kind, text=text, task_id=task_id, run=state.run)
    return Decided((LearningRecorded(learning=learning),), Answer(message="Recorded."))
