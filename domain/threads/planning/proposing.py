"""Rules of proposed plans: by tool, in a reply, by a person's hand, out of two."""

from collections.abc import Iterable
from typing import Any

from domain.agents.agents import Prompt, PromptName
from domain.conversations.messages import A_PERSON
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, InvalidPlanError, NotFoundError, WrongStateError
from domain.core.ids import WORK, EventId, RequestId, SessionId
from domain.plans.handoff import MAX_HANDOFF_BYTES, handoff
from domain.plans.plan import Plan
from domain.plans.proposals.proposal import Proposal, read_plan
from domain.plans.warnings import plan_hash, warn_of_agents
from domain.tasks.agent_commands import ProposePlan
from domain.threads.events import PlanProposed, PlanRefused, PromptQueued
from domain.threads.patches import HANDOFFS_ARE_QUOTED, LARGE_PLANS_ARE_DIGESTED
from domain.threads.planning.commands import CombinePlans, EditPlan
from domain.threads.planning.events import PlanSuperseded
from domain.threads.planning.plan_rules import plan_rules
from domain.threads.planning.state import ProposedPlan
from domain.threads.quotes import quoted_as
from domain.threads.registry import THREAD_RULES
from domain.threads.sessions import opened_of
from domain.threads.state import SINGLE_UNIT, ThreadState

MAX_QUOTED_BYTES = 64 << 10
"""Of a plan in a prompt: it lies in histories."""


@THREAD_RULES.handles
def propose_plan(command: ProposePlan, state: ThreadState) -> Decided:
    session = state.sessions.get(command.session_id)
    if command.session_id not in state.planning.planners or not session or session.is_archived:
        raise WrongStateError("this session is not a planner of the thread now: end your turn")
    return proposed_by_planner(command, state)


def proposed_by_planner(command: ProposePlan, state: ThreadState) -> Decided:
    """Return the events of a planner's proposal; the same plan again changes nothing.

    Raises:
        InvalidPlanError: With every problem of the plan.
        WrongStateError: A plan runs already.
    """
    template = opened_of(state).template
    if state.plan_status.is_live:
        raise WrongStateError("a plan was approved already: end your turn")
    proposal = read_plan(command.plan, template, state.depth, state.goal, plan_rules(state))
    proposal = _doubted(proposal, command.doubts)
    packet = _told(proposal.plan, state)
    proposed = _next_revision(proposal, packet, command.session_id, state)
    latest = newest_of(command.session_id, state)
    is_open = latest is not None and latest.is_among(state.requests)
    if latest and is_open and latest.request.content_hash == proposed.request.content_hash:
        return Decided(answer=_shown(latest))
    _check_room(proposed, state)
    replaced = (superseded(latest, proposed.revision),) if latest and is_open else ()
    return Decided((*replaced, proposed), _shown(proposed))


def _doubted(proposal: Proposal, doubts: Iterable[str]) -> Proposal:
    return proposal._replace(warnings=(*proposal.warnings, *warn_of_agents(doubts)))


def _next_revision(
    proposal: Proposal, packet: str, session_id: SessionId, state: ThreadState, by: str = ""
) -> PlanProposed:
    plan, warnings = proposal
    revision = len(state.plans) + 1
    request = ApprovalRequest(
        request_id=RequestId(f"plan-{revision}"),
        subject=Subject.PLAN,
        title=plan.summary or plan.goal,
        content_hash=plan_hash(plan, warnings, packet),
    )
    is_quoted = state.has_patch(HANDOFFS_ARE_QUOTED)
    return PlanProposed(
        quoted_as=quoted_as(state.thread_id, f"plan-{revision}") if is_quoted else EventId(""),
        revision=revision,
        session_id=session_id,
        plan=plan,
        warnings=warnings,
        handoff=packet,
        by=by,
        request=request,
    )


def proposed_by_hand(
    proposal: Proposal, session_id: SessionId, state: ThreadState, by: str
) -> PlanProposed:
    """Return the next revision of a plan that no planner made."""
    return _next_revision(proposal, _told(proposal.plan, state), session_id, state, by)


def _check_room(proposed: PlanProposed, state: ThreadState) -> None:
    """Refuse a plan for which there is no room beside those of the other planners."""
    limits = plan_rules(state).limits
    planners = (s for s in state.planning.planners if s != proposed.session_id)
    rivals = (newest_of(planner, state) for planner in planners)
    others = sum(limits.size_of(rival.plan) for rival in rivals if rival is not None)
    own = limits.size_of(proposed.plan)
    if others and others + own > limits.asked:
        raise InvalidPlanError(
            f"too_large: the others' plans have {others} bytes, this one {own}, at most "
            f"{limits.asked} together: say less"
        )


def _shown(plan: ProposedPlan | PlanProposed) -> Answer:
    warnings = [warning.text for warning in plan.warnings]
    message = f"Plan revision {plan.revision} is shown to the person. End your turn now."
    text = "\n".join([message, *(f"warning: {each}" for each in warnings)])
    return Answer(message=text, data={"revision": plan.revision, "warnings": warnings})


def newest_of(session_id: str, state: ThreadState) -> ProposedPlan | None:
    """Return the newest revision that stands for a planner."""
    return next((p for p in reversed(state.plans) if p.session_id == session_id), None)


def superseded(plan: ProposedPlan, by_revision: int) -> PlanSuperseded:
    """Return the event that a plan is not asked about any more."""
    return PlanSuperseded(
        revision=plan.revision, request_id=plan.request.request_id, by_revision=by_revision
    )


def refused_plan(command: ProposePlan, error: InvalidPlanError) -> PlanRefused:
    """Return the event of a proposal that was not valid; the planner got the same text."""
    return PlanRefused(session_id=command.session_id, problems=error.message)


def revision_of(revision: int, state: ThreadState) -> ProposedPlan:
    """Return a revision whose text is at hand.

    Raises:
        NotFoundError: There is no such revision.
        WrongStateError: It was put away long ago; only the journal has its text.
    """
    found = next((p for p in state.plans if p.revision == revision), None)
    if found is None:
        known = ", ".join(str(p.revision) for p in state.plans) or "none yet"
        raise NotFoundError(f"there is no plan {revision}; revisions: {known}")
    is_started = revision == state.approved and not {SINGLE_UNIT, WORK} & state.tasks.keys()
    if found.plan == Plan() or (is_started and not found.plan.tasks):
        raise WrongStateError(f"plan {revision} is too old to be used again: take a newer one")
    return found


@THREAD_RULES.handles
def edit_plan(command: EditPlan, state: ThreadState) -> Decided:
    earlier = revision_of(command.revision, state)
    if not earlier.is_among(state.requests):
        raise WrongStateError(f"plan {command.revision} is not asked about: edit one that waits")
    if command.plan is None and command.handoff is None:
        raise InvalidError("nothing to change: give a plan, a handoff packet, or both")
    proposal = Proposal(earlier.plan, earlier.warnings)
    if command.plan is not None:
        template = opened_of(state).template
        goal = earlier.plan.goal
        proposal = read_plan(command.plan, template, state.depth, goal, plan_rules(state))
        proposal = _doubted(proposal, command.doubts)
    packet = _packet(command.handoff, earlier, proposal.plan, state)
    by = command.by or A_PERSON
    edited = _next_revision(proposal, packet, earlier.session_id, state, by)
    if edited.request.content_hash == earlier.request.content_hash:
        return Decided(answer=_edited(earlier))
    _check_room(edited, state)
    return Decided((superseded(earlier, edited.revision), edited), _edited(edited))


def _packet(text: str | None, earlier: ProposedPlan, plan: Plan, state: ThreadState) -> str:
    """Return the packet of an edited plan; one that was written by hand before stays as it is."""
    if text is not None:
        if len(text.encode()) > MAX_HANDOFF_BYTES:
            size = len(text.encode())
            raise InvalidError(f"the handoff packet has {size} bytes, at most {MAX_HANDOFF_BYTES}")
        return text.strip()
    if earlier.handoff != _told(earlier.plan, state):
        return earlier.handoff
    return _told(plan, state)


def _told(plan: Plan, state: ThreadState) -> str:
    """Return the packet of a plan as it is written of itself."""
    is_digested = state.has_patch(LARGE_PLANS_ARE_DIGESTED)
    return handoff(plan, opened_of(state).template, is_digested=is_digested)


def _edited(plan: ProposedPlan | PlanProposed) -> Answer:
    request = plan.request.model_dump(mode="json")
    warnings = [warning.text for warning in plan.warnings]
    data: dict[str, Any] = {"revision": plan.revision, "request": request, "warnings": warnings}
    return Answer(message=f"plan revision {plan.revision} has your changes", data=data)


@THREAD_RULES.handles
def combine_plans(command: CombinePlans, state: ThreadState) -> Decided:
    own, other = revision_of(command.revision, state), revision_of(command.other, state)
    session = state.sessions[own.session_id]
    if own.revision == other.revision:
        raise InvalidError("give two different revisions")
    if own.session_id not in state.planning.planners or session.is_archived:
        raise WrongStateError(f"the planner of plan {own.revision} is put away: ask for a new plan")
    key = f"{own.session_id}/{command.command_id or f'combine-{len(state.seen_prompts) + 1}'}"
    answer = Answer(message="asked", data={"session_id": own.session_id})
    if key in state.seen_prompts:
        return Decided(answer=answer)
    fields = {
        "revision": str(own.revision),
        "other": str(other.revision),
        "feedback": command.feedback,
        "plan": quoted(other.plan),
    }
    prompt = Prompt(name=PromptName.COMBINE_PLANS, fields=fields)
    queued = PromptQueued(key=key, session_id=own.session_id, prompt=prompt)
    return Decided((queued,), answer)


def quoted(plan: Plan) -> str:
    """Return a plan as JSON for a prompt, cut where it would not fit one."""
    text = plan.model_dump_json(indent=1, exclude_defaults=True)
    encoded = text.encode()
    if len(encoded) <= MAX_QUOTED_BYTES:
        return text
    return encoded[:MAX_QUOTED_BYTES].decode("utf-8", "ignore") + "\n[... cut: it is too long]"
