"""Rules of planning: opening a thread, asking for plans, rivals of the first planner."""

from collections.abc import Sequence

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.messages import A_PERSON
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.plans.modes import planner_catalogue
from domain.plans.templates.hints import conventions
from domain.plans.templates.template import BranchStrategy
from domain.tasks.agent_commands import InvitePlanner
from domain.tasks.learnings import describe_learnings
from domain.threads import events as thread_events
from domain.threads.commands import OpenThread
from domain.threads.plan_files.events import PlanFilesSet
from domain.threads.planning.commands import AddPlanner, PlannerChoice, RequestPlan
from domain.threads.planning.events import PlannerAdded, PlanningCancelled
from domain.threads.registry import THREAD_RULES
from domain.threads.sessions import (
    PLANNING_ROLES,
    archive_sessions_of,
    next_session,
    opened_by,
    opened_of,
)
from domain.threads.state import ThreadState

MAX_PLANNERS = 5


@THREAD_RULES.handles
def open_thread(command: OpenThread, state: ThreadState) -> Decided:
    is_shared = command.opened.template.git.branch_strategy is BranchStrategy.SHARED
    planner = command.planner
    if is_shared:
        planner = planner.model_copy(update={"max_parallel_steps": 1})
    opened = thread_events.ThreadOpened(
        goal=command.goal,
        agent=command.agent,
        model=command.model,
        options=command.options,
        facts=command.opened.facts,
        template=command.opened.template,
        branch=command.opened.branch,
        host=command.opened.host,
        planner=planner,
        opened_by=command.opened_by,
        parent=command.parent,
        context=command.context,
        forked_from=command.forked_from,
        begins_at=command.opened.begins_at,
    )
    files = (PlanFilesSet(is_on=True, by=command.opened_by),) if command.has_plan_files else ()
    if command.is_planned:
        first = PlannerChoice(agent=command.agent, model=command.model)
        after = state.model_copy(update={"opened": opened})
        return Decided((opened, *files, *_planning(after, command.goal, [first])))
    session_id = next_session(state)
    session = thread_events.SessionOpened(
        session_id=session_id,
        role=SessionRole.CHAT,
        agent=command.agent,
        model=command.model,
        has_own_worktree=False,
    )
    prompt = _first_words(opened)
    queued = thread_events.PromptQueued(
        key=f"{session_id}/goal", session_id=session_id, prompt=prompt
    )
    return Decided((opened, *files, session, queued))


def _first_words(opened: thread_events.ThreadOpened) -> Prompt:
    """Return what a thread without a plan begins with; a fork's agent is told what came before."""
    by = opened.opened_by or A_PERSON
    if opened.forked_from is None:
        return Prompt(fields={"text": opened.goal}, by=by)
    fields = {"text": opened.goal, "handoff": opened.context}
    return Prompt(name=PromptName.FORKED, fields=fields, by=by)


def _planning(
    state: ThreadState,
    goal: str,
    choices: Sequence[PlannerChoice],
    command_id: str = "",
) -> tuple[EventBody, ...]:
    """Return the events that open planners of a goal, side by side; the first is the main one."""
    first, *rivals = [next_session(state, n) for n in range(len(choices))]
    events: list[EventBody] = [
        thread_events.SessionOpened(
            session_id=session_id,
            role=SessionRole.PLANNER,
            agent=choice.agent,
            model=choice.model,
            command_id=command_id if session_id == first else "",
        )
        for session_id, choice in zip((first, *rivals), choices, strict=True)
    ]
    events.append(thread_events.PlanRequested(goal=goal, session_id=first))
    events += [PlannerAdded(session_id=rival) for rival in rivals]
    return (*events, *(_brief(state, goal, session_id) for session_id in (first, *rivals)))


def _brief(state: ThreadState, goal: str, session_id: SessionId) -> thread_events.PromptQueued:
    """Return a planner's first prompt."""
    opened = opened_of(state)
    fields = {
        "goal": goal,
        "repository": opened.facts.root,
        "facts": opened.facts.survey.text,
        "project_map": opened.facts.project_map,
        "template_hints": conventions(opened.template),
        "learnings": describe_learnings(state.learnings),
        "context": "" if opened.forked_from else opened.context,
        "earlier": opened.context if opened.forked_from else "",
        "modes": planner_catalogue(),
    }
    prompt = Prompt(name=PromptName.PLANNER, fields=fields)
    return thread_events.PromptQueued(
        key=f"{session_id}/plan", session_id=session_id, prompt=prompt
    )


def requested_plan(
    state: ThreadState,
    goal: str,
    choices: Sequence[PlannerChoice],
    command_id: str = "",
) -> Decided:
    """Return the events of asking for a plan; what was being planned before is put away.

    Raises:
        WrongStateError: A plan is running, planning is turned off, or there are too many planners.
    """
    if state.plan_status.is_live:
        raise WrongStateError(
            "a plan is running: ask for an amendment of it, or cancel it before you ask for another"
        )
    check_planning(state)
    if len(choices) > MAX_PLANNERS:
        raise WrongStateError(f"{len(choices)} planners, at most {MAX_PLANNERS} plan side by side")
    sessions = [next_session(state, n) for n in range(len(choices))]
    answer = Answer(
        message="planning", data={"session_id": sessions[0], "session_ids": list(sessions)}
    )
    events = (
        *archive_sessions_of(state, *PLANNING_ROLES),
        *_planning(state, goal, choices, command_id),
    )
    return Decided(events, answer)


def cancelled(state: ThreadState, by: str) -> Decided | None:
    """Return the end of planning that is under way: planners and critics stop, no plan waits.

    None where nothing is being planned.
    """
    if all(state.sessions[planner].is_archived for planner in state.planning.planners):
        return None
    events = (PlanningCancelled(by=by), *archive_sessions_of(state, *PLANNING_ROLES))
    return Decided(
        events, Answer(message="planning cancelled; ask for a new plan when you want one")
    )


def check_planning(state: ThreadState) -> None:
    """Refuse planning where it is turned off.

    Raises:
        WrongStateError: It is.
    """
    if not state.planner_settings.enabled:
        raise WrongStateError("planning is turned off for this thread (TREADLE_PLANNER_ENABLED)")


def choice_of(agent: str | None, model: str | None, state: ThreadState) -> PlannerChoice:
    """Return an agent and model as they were asked for, or the thread's own."""
    opened = opened_of(state)
    own = opened.model if agent is None else None
    return PlannerChoice(agent=agent or opened.agent, model=model or own)


@THREAD_RULES.handles
def request_plan(command: RequestPlan, state: ThreadState) -> Decided:
    opened_of(state)
    if earlier := opened_by(command.command_id, state):
        return Decided(answer=Answer(message="planning", data={"session_id": earlier}))
    first = choice_of(command.agent, command.model, state)
    goal = command.goal or state.goal
    return requested_plan(state, goal, (first, *command.rivals), command.command_id)


@THREAD_RULES.handles
def add_planner(command: AddPlanner, state: ThreadState) -> Decided:
    return _added(command, choice_of(command.agent, command.model, state), state)


@THREAD_RULES.handles
def invite_planner(command: InvitePlanner, state: ThreadState) -> Decided:
    if command.session_id not in state.planning.planners:
        raise WrongStateError("only a planner of the thread's goal invites another one")
    return _added(command, PlannerChoice(agent=command.agent, model=command.model), state)


def _added(
    command: AddPlanner | InvitePlanner, choice: PlannerChoice, state: ThreadState
) -> Decided:
    if earlier := opened_by(command.command_id, state):
        return Decided(answer=Answer(message="planning", data={"session_id": earlier}))
    check_planning(state)
    planners = [p for p in state.planning.planners if not state.sessions[p].is_archived]
    if not planners or state.plan_status.is_live:
        raise WrongStateError("no plan is being made now: ask for one")
    if len(planners) >= MAX_PLANNERS:
        raise WrongStateError(f"{len(planners)} planners work already, at most {MAX_PLANNERS}")
    session_id = next_session(state)
    session = thread_events.SessionOpened(
        session_id=session_id,
        role=SessionRole.PLANNER,
        agent=choice.agent,
        model=choice.model,
        command_id=command.command_id,
    )
    by = command.session_id if isinstance(command, InvitePlanner) else command.by
    added = PlannerAdded(session_id=session_id, by=by)
    message = f"{choice.agent} plans beside the others; the person compares the plans"
    answer = Answer(message=message, data={"session_id": session_id})
    return Decided((session, added, _brief(state, state.goal, session_id)), answer)
