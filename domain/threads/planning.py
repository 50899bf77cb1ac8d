"""Rules of opening, sessions, planning and the approval of plans."""

from domain.agents import Prompt, PromptName, SessionRole
from domain.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.commands import Answer, OpenSession, ProposePlan, RequestPlan, SendMessage, Verdict
from domain.decisions import Decided, refuse_flood
from domain.errors import InvalidPlanError, NotFoundError, WrongStateError
from domain.events import EventBody
from domain.events import thread as happened
from domain.events.decisions import DecisionAsked
from domain.ids import RequestId, SessionId, session_stream
from domain.proposals import parse_plan
from domain.templates import BranchStrategy
from domain.threads import amendment_planning
from domain.threads.commands import EndSessionTurn, MarkDelivered, OpenThread
from domain.threads.dispatch import decides, handles
from domain.threads.state import SINGLE_UNIT, ThreadState

MAX_PLANNER_NUDGES = 2


def _next_session(state: ThreadState) -> SessionId:
    return session_stream(state.thread_id, len(state.sessions) + 1)


@handles
def _open(command: OpenThread, state: ThreadState) -> Decided:
    # tasks that share a branch run one at a time (features.md K5)
    is_shared = command.opened.template.git.branch_strategy is BranchStrategy.SHARED
    planner = command.planner
    if is_shared:
        planner = planner.model_copy(update={"max_parallel_steps": 1})
    opened = happened.ThreadOpened(
        goal=command.goal,
        agent=command.agent,
        model=command.model,
        facts=command.opened.facts,
        template=command.opened.template,
        branch=command.opened.branch,
        host=command.opened.host,
        planner=planner,
        opened_by=command.by,
    )
    session_id = _next_session(state)
    role = SessionRole.PLANNER if command.is_planned else SessionRole.CHAT
    session = happened.SessionOpened(
        session_id=session_id, role=role, agent=command.agent, model=command.model
    )
    if command.is_planned:
        planning = _planning(opened, command.goal, session_id)
        return Decided((opened, session, *planning))
    prompt = Prompt(fields={"text": command.goal})
    first = happened.PromptQueued(key=f"{session_id}/goal", session_id=session_id, prompt=prompt)
    return Decided((opened, session, first))


def _planning(
    opened: happened.ThreadOpened, goal: str, session_id: SessionId
) -> tuple[EventBody, ...]:
    fields = {
        "goal": goal,
        "project_map": opened.facts.project_map,
        "template_hints": opened.template.planning_hints,
        "repository": opened.facts.root,
    }
    prompt = Prompt(name=PromptName.PLANNER, fields=fields)
    key = f"{session_id}/plan"
    return (
        happened.PlanRequested(goal=goal, session_id=session_id),
        happened.PromptQueued(key=key, session_id=session_id, prompt=prompt),
    )


@handles
def _open_session(command: OpenSession, state: ThreadState) -> Decided:
    opened = _opened(state)
    if earlier := _opened_by(command.command_id, state):
        return Decided(answer=Answer(message="opened", data={"session_id": earlier}))
    session_id = _next_session(state)
    session = happened.SessionOpened(
        session_id=session_id,
        role=SessionRole.CHAT,
        agent=command.agent or opened.agent,
        model=command.model or (opened.model if command.agent is None else None),
        command_id=command.command_id,
    )
    return Decided((session,), Answer(message="opened", data={"session_id": session_id}))


def _opened_by(command_id: str, state: ThreadState) -> SessionId | None:
    """Return the session that a command opened when it came before."""
    sessions = state.sessions.values()
    return next((s.session_id for s in sessions if command_id and s.command_id == command_id), None)


def _opened(state: ThreadState) -> happened.ThreadOpened:
    if state.opened is None:
        raise WrongStateError("the thread is not open yet")
    return state.opened


@handles
def _send(command: SendMessage, state: ThreadState) -> Decided:
    session_id = command.session_id or _talking_session(state)
    session = state.sessions.get(session_id)
    if session is None:
        known = ", ".join(state.sessions) or "none"
        raise NotFoundError(f"no session {session_id!r} in this thread; it has: {known}")
    if session.is_archived:
        raise WrongStateError(f"session {session_id!r} is archived: open another one")
    key = f"{session_id}/{command.command_id or f'message-{len(state.seen_prompts) + 1}'}"
    answer = Answer(message="queued", data={"session_id": session_id, "message_id": key})
    if key in state.seen_prompts:
        return Decided(answer=answer)
    waiting = (queued.prompt for queued in state.prompts if queued.prompt is not None)
    refuse_flood((prompt.fields.get("text", "") for prompt in waiting), command.text)
    prompt = Prompt(fields={"text": command.text})
    queued = happened.PromptQueued(key=key, session_id=session_id, prompt=prompt)
    return Decided((queued,), answer)


def _talking_session(state: ThreadState) -> SessionId:
    """Return the session that a message without an address goes to: the planner, else the last."""
    if state.planner is not None and not state.sessions[state.planner].is_archived:
        return state.planner
    live = [s for s, session in state.sessions.items() if not session.is_archived]
    if not live:
        raise WrongStateError(
            "no session of this thread is open: speak to one of its tasks, or ask for another plan"
        )
    return live[-1]


@handles
def _delivered(command: MarkDelivered, state: ThreadState) -> Decided:
    if all(prompt.key != command.key for prompt in state.prompts):
        return Decided()
    return Decided((happened.PromptDelivered(key=command.key),))


@handles
def _request_plan(command: RequestPlan, state: ThreadState) -> Decided:
    opened = _opened(state)
    if earlier := _opened_by(command.command_id, state):
        return Decided(answer=Answer(message="planning", data={"session_id": earlier}))
    if state.plan_status.is_live:
        raise WrongStateError("a plan is running: cancel it before you ask for another one")
    goal = command.goal or state.goal
    session_id = _next_session(state)
    session = happened.SessionOpened(
        session_id=session_id,
        role=SessionRole.PLANNER,
        agent=command.agent or opened.agent,
        model=command.model or opened.model,
        command_id=command.command_id,
    )
    events = (*_archived(state), session, *_planning(opened, goal, session_id))
    return Decided(events, Answer(message="planning", data={"session_id": session_id}))


def _archived(state: ThreadState) -> tuple[EventBody, ...]:
    """Put planners away (features.md A4) and close their agents."""
    planners = tuple(
        session_id
        for session_id, session in state.sessions.items()
        if session.role is SessionRole.PLANNER and not session.is_archived
    )
    if not planners:
        return ()
    closing = (happened.PromptQueued(key=f"{s}/close", session_id=s) for s in planners)
    return (happened.SessionsArchived(session_ids=planners), *closing)


@handles
def _propose(command: ProposePlan, state: ThreadState) -> Decided:
    opened = _opened(state)
    if command.session_id != state.planner or state.sessions[command.session_id].is_archived:
        raise WrongStateError("this session is not the thread's planner now: end your turn")
    if state.plan_status.is_live:
        raise WrongStateError("a plan was approved already: end your turn")
    plan, warnings = parse_plan(command.plan, opened.template)
    if not plan.goal:
        plan = plan.model_copy(update={"goal": state.goal})
    revision = len(state.plans) + 1
    request = ApprovalRequest(
        request_id=RequestId(f"plan-{revision}"),
        subject=Subject.PLAN,
        title=plan.summary or plan.goal,
        content_hash=plan.content_hash,
    )
    latest = state.plans[-1] if state.plans else None
    message = f"Plan revision {revision} is shown to the person. End your turn now."
    is_open = latest is not None and latest.request.request_id in state.requests
    if is_open and latest and latest.request.content_hash == plan.content_hash:
        return Decided(answer=Answer(message=message, data={"warnings": list(latest.warnings)}))
    proposed = happened.PlanProposed(
        revision=revision,
        session_id=command.session_id,
        plan=plan,
        warnings=warnings,
        request=request,
    )
    told = "\n".join([message, *(f"warning: {w}" for w in warnings)])
    return Decided((proposed,), Answer(message=told, data={"warnings": list(warnings)}))


def refused_plan(command: ProposePlan, error: InvalidPlanError) -> happened.PlanRefused:
    """Return the event of a proposal that was not valid; the planner got the same text."""
    return happened.PlanRefused(session_id=command.session_id, problems=error.message)


def _is_plan_open(state: ThreadState) -> bool:
    return any(request.subject is Subject.PLAN for request in state.requests.values())


@handles
def _turn_ended(command: EndSessionTurn, state: ThreadState) -> Decided:
    if amendment_planning.is_proposer(command.session_id, state):
        return amendment_planning.proposer_ended(command, state)
    is_planning = command.session_id == state.planner and not _is_plan_open(state)
    if not is_planning or state.sessions[command.session_id].is_archived:
        return Decided()
    if any(prompt.session_id == command.session_id for prompt in state.prompts):
        return Decided()
    reason = command.failure or ("its turn was stopped" if command.is_stopped else None)
    if reason is None and state.planner_nudges >= MAX_PLANNER_NUDGES:
        reason = f"the planner ended {state.planner_nudges + 1} turns without propose_plan"
    if reason is not None and reason == state.planning_failure:
        return Decided()
    if reason is not None:
        failed = happened.PlanningFailed(session_id=command.session_id, reason=reason)
        return Decided((failed,))
    key = f"{command.session_id}/nudge-{command.turn}"
    if key in state.seen_prompts:
        return Decided()
    prompt = happened.PromptQueued(
        key=key,
        session_id=command.session_id,
        prompt=Prompt(name=PromptName.PLAN_MISSING),
    )
    return Decided((happened.PlannerNudged(session_id=command.session_id), prompt))


@decides(Subject.PLAN)
def _decide_plan(
    command: Verdict, request: ApprovalRequest, outcome: Outcome, state: ThreadState
) -> Decided:
    del command
    proposed = next(p for p in state.plans if p.request.request_id == request.request_id)
    decided = happened.PlanDecided(revision=proposed.revision, outcome=outcome)
    if outcome.choice is Choice.REJECT:
        fields = {"feedback": outcome.feedback, "revision": str(proposed.revision)}
        prompt = happened.PromptQueued(
            key=f"{proposed.session_id}/{outcome.request_id}",
            session_id=proposed.session_id,
            prompt=Prompt(name=PromptName.PLANNER_FEEDBACK, fields=fields),
        )
        return Decided((decided, prompt))
    if busy := [name for name, task in state.tasks.items() if task.status.is_at_work]:
        names = ", ".join(busy)
        raise WrongStateError(f"the cancelled plan's {names} are still ending: approve again then")
    plan_id = f"{state.thread_id}/plan-{proposed.revision}"
    tasks = tuple(task.id for task in proposed.plan.tasks) or (SINGLE_UNIT,)
    started = happened.PlanStarted(plan_id=plan_id, goal=proposed.plan.goal, tasks=tasks)
    questions = (
        DecisionAsked(
            plan_id=plan_id,
            decision_id=d.id,
            header=d.header,
            question=d.question,
            options=d.options,
            multi_select=d.multi_select,
        )
        for d in proposed.plan.decisions
    )
    return Decided((decided, *_archived(state), started, *questions))
