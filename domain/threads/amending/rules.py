"""Rules of a plan that changes while it runs: proposals, decisions, new versions."""

from collections.abc import Iterator

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject, content_hash
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import StaleError, TreadleError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import RequestId, SessionId
from domain.core.wire import Wire
from domain.plans.plan import PlannedTask
from domain.plans.status import PlanStatus
from domain.plans.warnings import PlanWarning, warn_of_agents
from domain.tasks.agent_commands import ProposeAmendment
from domain.tasks.status import TaskStatus
from domain.threads.amending import events as amending_events
from domain.threads.amending.amendment import Amendment, read_amendment
from domain.threads.amending.cards import card
from domain.threads.amending.revision import Amended, Frame, amended, changed_statuses
from domain.threads.amending.state import OpenAmendment
from domain.threads.events import PromptQueued, SessionsArchived, TaskAbortRequested
from domain.threads.patches import HANDOFFS_ARE_QUOTED
from domain.threads.planning.commands import Amend
from domain.threads.planning.plan_rules import plan_rules
from domain.threads.quotes import quoted_as
from domain.threads.registry import THREAD_RULES
from domain.threads.running import briefs
from domain.threads.running.execution import updated
from domain.threads.state import ThreadState

MAX_OPEN = 5
"""Amendments that may wait for a person at the same time."""

MAX_TITLE = 200


class _Shown(Wire):
    """All that a person sees when they approve an amendment."""

    amendment: Amendment
    tasks: tuple[PlannedTask, ...]
    warnings: tuple[PlanWarning, ...]


@THREAD_RULES.handles
def propose_amendment(command: ProposeAmendment, state: ThreadState) -> Decided:
    session = state.sessions.get(command.session_id)
    is_planner = command.session_id in state.amending.planners
    if (
        session is None
        or session.is_archived
        or not (is_planner or session.role is SessionRole.CHAT)
    ):
        raise WrongStateError("this session proposes no amendments: end your turn")
    return proposed_by_session(state, command)


def proposed_by_session(state: ThreadState, command: ProposeAmendment) -> Decided:
    """Return the events of what a session proposes, by tool or in its reply.

    Raises:
        TreadleError: It may not be; with every problem at once.
    """
    return _proposal(state, command, command.session_id, command.session_id)


@THREAD_RULES.handles
def amend_plan(command: Amend, state: ThreadState) -> Decided:
    return _proposal(state, command, None, command.by)


def _proposal(
    state: ThreadState, command: Amend | ProposeAmendment, session_id: SessionId | None, by: str
) -> Decided:
    check_amendable(state)
    amendment = read_amendment(command.amendment)
    check_base(state, amendment)
    result = _with_doubts(
        amended(state.tasks, amendment, _frame(state)), warn_of_agents(command.doubts)
    )
    number = state.amending.count + 1
    shown = content_hash(_Shown(amendment=amendment, tasks=result.tasks, warnings=result.warnings))
    waiting = state.amending.open.values()
    if same := [each.request for each in waiting if each.request.content_hash == shown]:
        return Decided(answer=_answer(same[0], result))
    earlier = _of_session(state, session_id)
    if len(state.amending.open) - len(earlier) >= MAX_OPEN:
        raise WrongStateError(f"{MAX_OPEN} amendments wait for a person: have one decided first")
    request = ApprovalRequest(
        request_id=RequestId(f"amendment-{number}"),
        subject=Subject.AMENDMENT,
        title=f"{amendment.counts}: {' '.join(amendment.why.split())}"[:MAX_TITLE],
        content_hash=shown,
    )
    proposed = amending_events.AmendmentProposed(
        number=number,
        session_id=session_id,
        by=by,
        amendment=amendment,
        lines=card(state.tasks, amendment, result),
        tasks=result.tasks,
        warnings=result.warnings,
        request=request,
        replaces=tuple(each.request.request_id for each in earlier),
    )
    return Decided((proposed,), _answer(request, result))


def _with_doubts(result: Amended, doubts: tuple[PlanWarning, ...]) -> Amended:
    """Return what an amendment comes to, with what in it can't be used here."""
    return result._replace(warnings=(*result.warnings, *doubts))


def _of_session(state: ThreadState, session_id: SessionId | None) -> list[OpenAmendment]:
    """Return the open proposals of a session; those of people stand each for itself."""
    waiting = state.amending.open.values()
    return [each for each in waiting if session_id and each.session_id == session_id]


def _answer(request: ApprovalRequest, result: Amended) -> Answer:
    message = f"{request.request_id} is shown to the person, who approves or rejects it."
    warnings = [warning.text for warning in result.warnings]
    text = "\n".join([message, *(f"warning: {text}" for text in warnings)])
    data = {**request.model_dump(mode="json"), "warnings": warnings}
    return Answer(message=text, data=data)


def check_amendable(state: ThreadState) -> None:
    """Refuse to change what does not run.

    Raises:
        WrongStateError: No plan runs; with what can be done instead.
    """
    if state.plan_status.is_live:
        return
    if state.plan_status is PlanStatus.IDLE:
        raise WrongStateError(
            "no plan runs: have the plan that is proposed revised, or ask for one"
        )
    raise WrongStateError(
        f"the plan is {state.plan_status} and changes no more: ask for another plan (treadle replan)"
    )


def check_base(state: ThreadState, amendment: Amendment) -> None:
    """Refuse an amendment of another version of the plan than the present one.

    Raises:
        StaleError: With what changed since.
    """
    version, base = state.amending.version, amendment.base_version
    if base == version:
        return
    if base > version:
        raise StaleError(f"the plan is version {version}: there is no version {base} yet")
    since = [
        f"version {each.version}, {each.amendment_id} by {each.by}: {each.counts}"
        for each in state.amending.versions
        if each.version > base
    ]
    raise StaleError(
        f"the amendment is of version {base}, the plan is version {version} now: "
        f"{'; '.join(since)}. Propose it again with base_version {version}"
    )


def _frame(state: ThreadState) -> Frame:
    if state.opened is None:
        raise WrongStateError("the thread is not open yet")
    decisions = tuple(entry.decision for entry in state.decisions.values())
    rules = plan_rules(state)._replace(names_gates_once=False)
    return Frame(state.opened.template, decisions, state.depth, rules)


@THREAD_RULES.decides(Subject.AMENDMENT)
def decide_amendment(request: ApprovalRequest, outcome: Outcome, state: ThreadState) -> Decided:
    waiting = state.amending.open[request.request_id]
    decided = amending_events.AmendmentDecided(outcome=outcome)
    if outcome.choice is Choice.REJECT:
        return Decided((decided, *_feedback(state, waiting, outcome)))
    check_amendable(state)
    check_base(state, waiting.amendment)
    result = _with_doubts(amended(state.tasks, waiting.amendment, _frame(state)), waiting.doubts)
    now = _Shown(amendment=waiting.amendment, tasks=result.tasks, warnings=result.warnings)
    if content_hash(now) != request.content_hash:
        raise StaleError(
            f"tasks that {request.request_id} modifies were changed since it was proposed: "
            "reject it, and have it proposed again"
        )
    changed = amending_events.PlanAmended(
        plan_id=state.plan_id,
        version=state.amending.version + 1,
        amendment_id=request.request_id,
        by=outcome.by,
        why=waiting.amendment.why,
        counts=waiting.amendment.counts,
        tasks=result.tasks,
        removed=result.removed,
        order=result.order,
        decisions=result.decisions,
    )
    after = THREAD_RULES.evolve(state, changed)
    if state.has_patch(HANDOFFS_ARE_QUOTED):
        version = quoted_as(state.thread_id, f"version-{changed.version}")
        told = {"amended": briefs.amended(after), "quoted_as": version}
        changed = changed.model_copy(update=told)
    events = (*_aborts(after, result, outcome.by), *_archived(state, waiting))
    return Decided((decided, changed, *events))


def _feedback(state: ThreadState, waiting: OpenAmendment, outcome: Outcome) -> Iterator[EventBody]:
    """Give a person's words to the session that proposed, where it is still there."""
    session = state.sessions.get(waiting.session_id) if waiting.session_id else None
    if session is None or session.is_archived:
        return
    fields = {
        "amendment": outcome.request_id,
        "feedback": outcome.feedback,
        "version": str(state.amending.version),
    }
    yield PromptQueued(
        key=f"{session.session_id}/{outcome.request_id}",
        session_id=session.session_id,
        prompt=Prompt(name=PromptName.AMENDMENT_FEEDBACK, fields=fields),
    )


def _aborts(state: ThreadState, result: Amended, by: str) -> Iterator[EventBody]:
    """Yield what becomes of the tasks of a plan that was just amended.

    Nothing touches a running one but an abort that the amendment says.
    """
    for task_id in result.aborted:
        entry = state.tasks[task_id]
        if entry.status.is_at_work:
            if not entry.is_abort_requested:
                yield TaskAbortRequested(task_id=task_id, by=by)
        elif entry.status is not TaskStatus.CANCELLED:
            event = updated(state, task_id, TaskStatus.CANCELLED, f"aborted by {by}, by amendment")
            state = THREAD_RULES.evolve(state, event)
            yield event
    order = state.tasks.by_wave(state.tasks)
    for task_id, status in changed_statuses(state.tasks, order).items():
        lost = status is TaskStatus.BLOCKED
        notes = "what it needs did not complete" if lost else "nothing holds it any more"
        yield updated(state, task_id, status, notes)


def _archived(state: ThreadState, waiting: OpenAmendment) -> Iterator[EventBody]:
    """Put away the planning session whose amendment was approved: its work is done."""
    session_id = waiting.session_id
    if session_id is None or session_id not in state.amending.planners:
        return
    if not state.sessions[session_id].is_archived:
        yield SessionsArchived(session_ids=(session_id,))
        yield PromptQueued(key=f"{session_id}/close", session_id=session_id)


def refused_amendment(
    command: ProposeAmendment, error: TreadleError
) -> amending_events.AmendmentRefused:
    """Return the event of a proposal that was not possible; the agent got the same text."""
    return amending_events.AmendmentRefused(
        session_id=command.session_id, type=error.type, problems=error.message
    )
