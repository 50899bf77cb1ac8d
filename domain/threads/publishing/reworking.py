"""Rules of reworks: what a pull request brings becomes a plan without tasks, verified and gated as the template says.

A person's command, or the policy that was approved with the template or the plan, stands for the approval of that
plan; where two people must approve plans, or it has warnings that nobody has read, somebody is asked.
"""

from collections.abc import Iterable, Iterator

from domain.agents.agents import SessionRole
from domain.core.approvals import Choice, Decider, Outcome
from domain.core.autonomy import Autonomy
from domain.core.decisions import Decided
from domain.core.errors import InvalidPlanError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.plans.proposals.proposal import Proposal, read_plan
from domain.plans.status import PlanStatus
from domain.publications.reworks import UNCHANGED
from domain.threads.effects import ThreadEffect
from domain.threads.events import PlanProposed, SessionOpened, TaskReported
from domain.threads.patches import REWORKS_ARE_BOUNDED
from domain.threads.planning.approving import started
from domain.threads.planning.plan_rules import plan_rules
from domain.threads.planning.proposing import proposed_by_hand
from domain.threads.planning.state import ProposedPlan
from domain.threads.publishing.effects import AskRework, EndReworkTelling, TellRework
from domain.threads.publishing.events import (
    ReworkEnded,
    ReworkPlanned,
    ReworkRequested,
    ReworkTold,
)
from domain.threads.publishing.publication import PublishStage, ThreadRework
from domain.threads.publishing.rules import number_done
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import address
from domain.threads.sessions import next_session, opened_of
from domain.threads.state import ThreadState

_KEPT = 500
_MAX_REASON = 500
_ARCHIVED = "the thread is archived or being deleted"
_ENDED = "its plan was cancelled, or nobody approved it"


@THREAD_RULES.handles
def ask_rework(command: AskRework, state: ThreadState) -> Decided:
    """Take a rework, once: its watch asks again until it knows that the thread has it."""
    known = state.publication.rework
    if known is not None and known.number >= command.number and _is_same(known, command):
        return Decided()
    return Decided((ReworkRequested(**command.model_dump()),))


def _is_same(known: ThreadRework, command: AskRework) -> bool:
    return known.pull_request == command.pull_request


@THREAD_RULES.reacts
def carry_on_rework(state: ThreadState) -> Iterable[EventBody]:
    """Start a rework once nothing else is planned, run or published, and end it with its plan."""
    rework = state.publication.rework
    if rework is None or rework.is_ended:
        return
    if rework.plan:
        yield from _end(rework, state)
    elif state.lifecycle.is_archived or state.lifecycle.is_deletion_requested:
        yield ReworkEnded(number=rework.number, reason=_ARCHIVED)
    elif _is_free(state):
        yield from _planned(rework, state)


def _is_free(state: ThreadState) -> bool:
    is_busy = state.plan_status.is_live or state.is_planning or bool(state.requests)
    is_at_work = any(True for _ in state.tasks.at_work())
    is_published = state.publication.stage in {PublishStage.PUBLISHED, PublishStage.FAILED}
    return not is_busy and not is_at_work and is_published and state.opened is not None


def _end(rework: ThreadRework, state: ThreadState) -> Iterator[EventBody]:
    is_its = state.approved is not None and state.approved >= rework.plan
    if state.has_patch(REWORKS_ARE_BOUNDED) and any(True for _ in state.tasks.at_work()):
        return  # what was cancelled tells its cost with its end
    if number_done(state) and _is_unchanged(state):
        yield ReworkEnded(number=rework.number, reason=UNCHANGED)
    elif number_done(state):
        yield ReworkEnded(number=rework.number, is_done=True)
    elif (is_its and state.plan_status is PlanStatus.CANCELLED) or (
        not is_its and not state.requests and not state.is_planning
    ):
        yield ReworkEnded(number=rework.number, reason=_ENDED)


def _is_unchanged(state: ThreadState) -> bool:
    """Tell whether the branch is as it was pushed; of several repositories only a push knows."""
    work, pushed = state.work, state.publication.pushed
    if work is None or pushed is None or pushed.beside:
        return False
    return work.merge_commit == pushed.commit


def _planned(rework: ThreadRework, state: ThreadState) -> Iterator[EventBody]:
    """Yield the plan of a rework, and its start where nobody else has to approve it."""
    try:
        proposal = _proposal(rework, state)
    except InvalidPlanError as error:
        yield ReworkEnded(number=rework.number, reason=error.message[:_MAX_REASON])
        return
    session_id, opened = _session(state)
    proposed = proposed_by_hand(proposal, session_id, state, rework.by)
    yield from opened
    yield proposed
    yield ReworkPlanned(number=rework.number, revision=proposed.revision)
    known = state.plans[state.approved - 1].warnings if state.approved else ()
    unread = [w for w in proposed.warnings if w.needs_acknowledgement and w not in known]
    if unread or opened_of(state).four_eyes.plan_by_another:
        return
    after = THREAD_RULES.fold(state, (*opened, proposed))
    yield from started(_shown(proposed, after), _outcome(proposed, rework, state), after)


def _proposal(rework: ThreadRework, state: ThreadState) -> Proposal:
    """Return the plan: one piece of work, on the git conventions of the plan before."""
    raw: dict[str, object] = {"goal": rework.subject, "summary": rework.subject}
    raw["approach"] = rework.text
    if state.plan is not None and state.plan.git is not None:
        raw["git"] = state.plan.git.model_dump(mode="json", exclude_none=True)
    return read_plan(raw, opened_of(state).template, state.depth, state.goal, plan_rules(state))


def _session(state: ThreadState) -> tuple[SessionId, tuple[EventBody, ...]]:
    """Return the session that does the work: the thread's own chat, else a new one."""
    if (known := address(state)) is not None:
        return known, ()
    chats = [s for s in state.sessions.values() if s.is_chat and not s.is_archived]
    if chats:
        return chats[-1].session_id, ()
    opened = opened_of(state)
    session = SessionOpened(
        session_id=next_session(state),
        role=SessionRole.CHAT,
        agent=opened.agent,
        model=opened.model,
        has_own_worktree=False,
    )
    return session.session_id, (session,)


def _shown(proposed: PlanProposed, state: ThreadState) -> ProposedPlan:
    return next(plan for plan in state.plans if plan.revision == proposed.revision)


def _outcome(proposed: PlanProposed, rework: ThreadRework, state: ThreadState) -> Outcome:
    by = rework.by if not rework.is_by_policy else f"{rework.by} of its pull request"
    return Outcome(
        request_id=proposed.request.request_id,
        choice=Choice.APPROVE,
        content_hash=proposed.request.content_hash,
        by=by,
        decider=Decider.POLICY,
        autonomy=None if state.autonomy is Autonomy.AUTO else state.autonomy,
    )


@THREAD_RULES.requires
def tell_rework(state: ThreadState) -> Iterable[ThreadEffect]:
    rework = state.publication.rework
    if rework is not None and rework.is_ended and not rework.is_told:
        yield TellRework(
            pull_request=rework.pull_request,
            number=rework.number,
            is_done=rework.is_done,
            is_published=state.git.open_pr,
            reason=rework.reason,
            usd=rework.usd,
        )


@THREAD_RULES.handles
def end_rework_telling(command: EndReworkTelling, state: ThreadState) -> Decided:
    rework = state.publication.rework
    if rework is None or rework.is_told or rework.number != command.number:
        return Decided()
    return Decided((ReworkTold(number=command.number),))


@THREAD_RULES.evolves
def apply_rework_requested(event: ReworkRequested, state: ThreadState) -> ThreadState:
    known = state.publication.rework
    is_same = known is not None and known.pull_request == event.pull_request
    earlier = known.items if known is not None and is_same else ()
    rework = ThreadRework(
        **event.model_dump(exclude={"kind", "item_id"}),
        items=(*earlier, event.item_id)[-_KEPT:],
        usd=known.usd if known is not None and is_same else 0.0,
    )
    if is_same:
        return _with(state, rework)
    anew = {"rework": rework, "reworked": 0, "watched_rework": 0}
    return state.model_copy(update={"publication": state.publication.model_copy(update=anew)})


@THREAD_RULES.evolves
def apply_rework_planned(event: ReworkPlanned, state: ThreadState) -> ThreadState:
    return _changed(state, plan=event.revision, text="")


@THREAD_RULES.evolves
def count_cost(event: TaskReported, state: ThreadState) -> ThreadState:
    """Add what a run of the rework's plan has cost, as far as that is known in USD."""
    rework = state.publication.rework
    if rework is None or not rework.plan or rework.is_ended or (state.approved or 0) < rework.plan:
        return state
    return _changed(state, usd=round(rework.usd + event.stats.usd, 6))


@THREAD_RULES.evolves
def apply_rework_ended(event: ReworkEnded, state: ThreadState) -> ThreadState:
    return _changed(state, is_ended=True, is_done=event.is_done, reason=event.reason, text="")


@THREAD_RULES.evolves
def apply_rework_told(event: ReworkTold, state: ThreadState) -> ThreadState:
    del event
    return _changed(state, is_told=True)


def _changed(state: ThreadState, **changes: object) -> ThreadState:
    rework = state.publication.rework
    return state if rework is None else _with(state, rework.model_copy(update=changes))


def _with(state: ThreadState, rework: ThreadRework) -> ThreadState:
    publication = state.publication.model_copy(update={"rework": rework})
    return state.model_copy(update={"publication": publication})
