"""The rules of a task: which events a command gives, and what must happen next.

A turn ends an agent's speech; only `report_done` and the system's own verification move a task on.
Rework is always verified again: the only way to the gate is a
verification that passed on the tree that the gate shows.
"""

from collections.abc import Iterable

from domain.agents.agents import SessionRole
from domain.conversations.checks import check_agent, check_open
from domain.conversations.commands import OpenSession, SendMessage
from domain.conversations.effects import RunTurn
from domain.conversations.events import ConversationOpened, MessageQueued
from domain.conversations.messages import A_PERSON, queue_message, withdraw_questions
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import Choice, Subject
from domain.core.command import Answer
from domain.core.decisions import Decided, answer_of, settle_verdict
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.four_eyes import FourEyes, Needed, counted, with_others
from domain.core.ids import SessionId, TaskId
from domain.tasks import (
    edits,
    evolution,
    plan_events,
    planning,
    planning_evolution,
    questions,
    reports,
    resources,
    review_evolution,
    reviews,
    terminals,
    turn_evolution,
    turns,
    withdrawal,
)
from domain.tasks import events as task_events
from domain.tasks.agent_commands import RecordLearning
from domain.tasks.commands import DecideCandidate, EndStep, OpenTask
from domain.tasks.effects import RunStep, TaskEffect
from domain.tasks.learnings import (
    MAX_OF_A_RUN,
    Learning,
    LearningKind,
    LearningRecorded,
    used_in,
)
from domain.tasks.outcomes import accepted, after_opening, onward
from domain.tasks.planning import open_planner
from domain.tasks.registry import TASK_RULES
from domain.tasks.reviewers import due_review
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.tasks.turns import next_conversation
from domain.verification.steps import StepType, next_step

MAX_CONVERSATIONS = 20
RULES = (
    edits,
    evolution,
    planning_evolution,
    planning,
    questions,
    reports,
    resources,
    review_evolution,
    reviews,
    terminals,
    turn_evolution,
    turns,
    withdrawal,
)
"""The others that register rules."""


decide = TASK_RULES.decide
evolve = TASK_RULES.evolve
fold = TASK_RULES.fold
effects = TASK_RULES.effects


@TASK_RULES.requires
def start_next(state: TaskState) -> Iterable[TaskEffect]:
    """Start the next step, or the next turn; while a turn runs or somebody is awaited, nothing."""
    if state.end is not None or state.turn is not None:
        return
    if state.phase is Phase.VERIFYING and state.attempt is not None and due_review(state) is None:
        if (step := next_step(state.steps, state.attempt)) is not None:
            yield RunStep(attempt=state.attempt.attempt, step=step)
    elif (own := next_conversation(state)) is not None:
        yield RunTurn(session_id=own.session_id, number=own.turns + 1)


@TASK_RULES.handles
def open_task(command: OpenTask) -> Decided:
    opened = task_events.TaskOpened(**dict(command))
    events: list[EventBody] = [opened]
    if command.plan_approval is not None:
        events.append(open_planner(command))
    # what a person resolved by hand is verified before any turn
    return Decided((*events, *after_opening(TASK_RULES.evolve(TaskState(), opened))))


@TASK_RULES.handles
def end_step(command: EndStep, state: TaskState) -> Decided:
    attempt = state.attempt
    if state.phase is not Phase.VERIFYING or attempt is None or attempt.attempt != command.attempt:
        return Decided()
    expected = next_step(state.steps, attempt)
    if expected is None or expected.id != command.result.step_id:
        return Decided()
    if expected.type is StepType.REVIEW_AGENT:
        return Decided()  # only a reviewer's turn ends a review
    ended = task_events.VerificationStepEnded(attempt=command.attempt, result=command.result)
    return Decided((ended, *onward(TASK_RULES.evolve(state, ended))))


@TASK_RULES.handles
def decide_request(command: Approve | Reject, state: TaskState) -> Decided:
    outcome = settle_verdict(command, state.request, state.outcomes)
    if outcome is None or state.request is None:
        return Decided(answer=answer_of(state.outcomes[command.request_id]))
    if state.is_candidate and outcome.choice is Choice.APPROVE and _is_gate(state):
        raise WrongStateError(
            "it is one of several candidates: choose among them with `treadle take`"
        )
    if state.request.subject is Subject.TASK_PLAN:
        return Decided((plan_events.TaskPlanDecided(outcome=outcome),), answer_of(outcome))
    if (
        one_of_several := counted(needed_for_gate(state), state.given, state.request, outcome)
    ) is not None:
        return one_of_several
    outcome = with_others(outcome, state.given)
    events: tuple[EventBody, ...] = (task_events.GateDecided(outcome=outcome),)
    if outcome.choice is Choice.APPROVE:
        events = (*events, accepted())
    return Decided(events, answer_of(outcome))


def needed_for_gate(state: TaskState) -> Needed:
    """Return what the approval of a run's open request needs."""
    rule = FourEyes(gate_approvals=state.gate_approvals)
    return rule.needed_for(Subject.GATE) if _is_gate(state) else Needed()


def _is_gate(state: TaskState) -> bool:
    return state.request is not None and state.request.subject is Subject.GATE


@TASK_RULES.handles
def decide_candidate(command: DecideCandidate, state: TaskState) -> Decided:
    """Take what the thread decided of a candidate; of a gate that is open no more, nothing."""
    request, known = state.request, (command.request_id, command.content_hash)
    if request is None or (request.request_id, request.content_hash) != known:
        return Decided()
    of_gate = {"request_id": request.request_id, "content_hash": request.content_hash}
    outcome = command.outcome.model_copy(update=of_gate)
    decided = task_events.GateDecided(outcome=outcome)
    return Decided((decided, accepted()) if outcome.choice is Choice.APPROVE else (decided,))


@TASK_RULES.handles
def abort(command: Abort, state: TaskState) -> Decided:
    if state.end is not None:
        if state.end is task_events.TaskEnd.CANCELLED:
            return Decided(answer=Answer(message="already aborted"))
        raise WrongStateError(state.over)
    by = command.by or A_PERSON
    over = task_events.TaskEnded(end=task_events.TaskEnd.CANCELLED, reason=f"aborted by {by}")
    return Decided((task_events.TaskAborted(by=by), over), Answer(message="aborted"))


@TASK_RULES.handles
def open_session(command: OpenSession, state: TaskState) -> Decided:
    check_open(state)
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


@TASK_RULES.handles
def send_message(command: SendMessage, state: TaskState) -> Decided:
    if command.command_id and command.command_id in state.seen:
        return Decided(answer=Answer(message="already queued"))
    check_open(state)
    words = "queued"
    to = _addressed(command, state)
    if not to and state.report is not None and not state.is_blocked:
        words = "queued: the agent had reported that it is done, and works on with this"
    return queue_message(command, state, to, words)


@TASK_RULES.handles
def queue_prompt(command: QueuePrompt, state: TaskState) -> Decided:
    """Queue what a person said to the session whose turns the run takes; its thread has answered them."""
    if command.key in state.seen or state.end is not None:
        return Decided()
    queued = MessageQueued(message_id=command.key, prompt=command.prompt, by=command.prompt.by)
    return Decided((*withdraw_questions(state, SessionId("")), queued))


def _addressed(command: SendMessage, state: TaskState) -> SessionId:
    """Return the session that a message is for, empty for the one that plans or does the work."""
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
    if state.phase is Phase.EDITING:
        raise WrongStateError("suggestions are being applied: wait for the gate")
    if state.phase is Phase.AT_PLAN:
        raise WrongStateError("the task's plan waits: reject it with your text as feedback")
    return SessionId("")


@TASK_RULES.handles
def record_learning(command: RecordLearning, state: TaskState) -> Decided:
    check_agent(command, state)
    used = used_in(command)
    kind, text = LearningKind(command.learning), command.text.strip()
    if not text:
        return Decided(used, Answer(message="Noted."))
    if any((known.learning, known.text) == (kind, text) for known in state.learned):
        return Decided(used, Answer(message="Already recorded."))
    if len(state.learned) >= MAX_OF_A_RUN:
        raise WrongStateError(
            f"a run records at most {MAX_OF_A_RUN} learnings: the best are enough"
        )
    task_id = state.task.id if state.task else TaskId("")
    learning = Learning(learning=kind, text=text, task_id=task_id, run=state.run)
    return Decided((*used, LearningRecorded(learning=learning)), Answer(message="Recorded."))
