"""Rules of planning: opening a thread, asking for plans, rivals of the first planner."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.core.attachments import Attachment
from domain.core.beside import describe_beside
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import EventId, SessionId
from domain.plans.modes import planner_catalogue
from domain.plans.templates.hints import conventions
from domain.tasks.agent_commands import InvitePlanner
from domain.tasks.learnings import describe_learnings
from domain.threads import events as thread_events
from domain.threads.commands import OpenThread
from domain.threads.patches import HANDOFFS_ARE_QUOTED, PLANNING_AGAIN, PLANNING_IN_CHATS
from domain.threads.plan_files.events import PlanFilesSet
from domain.threads.planning.commands import AddPlanner, PlannerChoice, RequestPlan
from domain.threads.planning.events import PlannerAdded, PlanningCancelled
from domain.threads.planning.first_words import first_words
from domain.threads.planning.replacing import replaced_words
from domain.threads.quotes import quoted_as
from domain.threads.registry import THREAD_RULES
from domain.threads.sessions import (
    end_planning,
    next_session,
    opened_by,
    opened_of,
)
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import ThreadSession

MAX_PLANNERS = 5


@THREAD_RULES.handles
def open_thread(command: OpenThread, state: ThreadState) -> Decided:
    is_quoted = HANDOFFS_ARE_QUOTED in command.patches
    opened = thread_events.ThreadOpened(
        quoted_as=quoted_as(state.thread_id, "opened") if is_quoted else EventId(""),
        goal=command.goal,
        agent=command.agent,
        model=command.model,
        options=command.options,
        planner=command.planner,
        opened_by=command.opened_by,
        parent=command.parent,
        context=command.context,
        forked_from=command.forked_from,
        issue=command.issue,
        promotes=command.promotes,
        **dict(command.found),
        patches=command.patches,
    )
    files = (PlanFilesSet(is_on=True, by=command.opened_by),) if command.has_plan_files else ()
    if command.is_planned:
        first = PlannerChoice(agent=command.agent, model=command.model)
        after = state.model_copy(update={"opened": opened})
        ask = Ask(command.goal, attachments=command.attachments)
        return Decided((opened, *files, *_planning(after, ask, [first])))
    session_id = next_session(state)
    session = thread_events.SessionOpened(
        session_id=session_id,
        role=SessionRole.CHAT,
        agent=command.agent,
        model=command.model,
        has_own_worktree=False,
        agent_session=opened.imported.agent_session if opened.imported else None,
    )
    prompt = first_words(opened).model_copy(update={"attachments": command.attachments})
    queued = thread_events.PromptQueued(
        key=f"{session_id}/goal", session_id=session_id, prompt=prompt
    )
    return Decided((opened, *files, session, queued))


class Ask(NamedTuple):
    """A plan that is asked for: by which command, in which chat, and what others are told of the talk."""

    goal: str
    command_id: str = ""
    chat: SessionId | None = None
    talk: str = ""
    attachments: tuple[Attachment, ...] = ()


def _planning(
    state: ThreadState, ask: Ask, choices: Sequence[PlannerChoice]
) -> tuple[EventBody, ...]:
    """Return the events that open planners of a goal, side by side; the first is the main one."""
    first, *rivals = sessions = _planners(state, ask, choices)
    events: list[EventBody] = [
        thread_events.SessionOpened(
            session_id=session_id,
            role=SessionRole.PLANNER,
            agent=choice.agent,
            model=choice.model,
            command_id=ask.command_id if session_id == first else "",
        )
        for session_id, choice in zip(sessions, choices, strict=True)
        if session_id != ask.chat
    ]
    events.append(thread_events.PlanRequested(goal=ask.goal, session_id=first))
    events += [PlannerAdded(session_id=rival) for rival in rivals]
    return (*events, *(_brief(state, ask, session_id) for session_id in sessions))


def _planners(state: ThreadState, ask: Ask, choices: Sequence[PlannerChoice]) -> list[SessionId]:
    """Return the ids of the sessions that plan, the main one first."""
    if ask.chat is None:
        return [next_session(state, n) for n in range(len(choices))]
    return [ask.chat, *(next_session(state, n) for n in range(len(choices) - 1))]


def _brief(state: ThreadState, ask: Ask, session_id: SessionId) -> thread_events.PromptQueued:
    """Return a planner's first prompt; the chat that plans knows what was said in it."""
    opened = opened_of(state)
    fields = {
        "goal": ask.goal,
        "repository": opened.facts.root,
        "facts": opened.facts.survey.text,
        "project_map": opened.facts.project_map,
        "template_hints": conventions(opened.template),
        "learnings": describe_learnings(state.learnings),
        "context": "" if opened.forked_from else opened.context,
        "earlier": ask.talk or (opened.context if opened.forked_from else ""),
        "modes": planner_catalogue(),
    }
    if opened.beside:
        fields |= {"beside": describe_beside(opened.beside)}
    if session_id == ask.chat:
        fields |= {"earlier": ""}
        return thread_events.PromptQueued(
            key=_key(state, ask),
            session_id=session_id,
            prompt=Prompt(name=PromptName.PLANNER, fields=fields),
            role=SessionRole.PLANNER,
        )
    prompt = Prompt(name=PromptName.PLANNER, fields=fields, attachments=ask.attachments)
    return thread_events.PromptQueued(
        key=f"{session_id}/plan", session_id=session_id, prompt=prompt
    )


def _key(state: ThreadState, ask: Ask) -> str:
    """Return the key of the prompt by which a chat begins to plan; a command that comes twice has one."""
    return f"{ask.chat}/plan-{ask.command_id or len(state.seen_prompts) + 1}"


def chat_to_plan_in(
    state: ThreadState, wanted: SessionId | None, choice: PlannerChoice | None
) -> SessionId | None:
    """Return the chat that goes on as the planner: the wanted one, else the newest that was spoken to.

    None where another agent or model plans, or the session has never begun.

    Raises:
        NotFoundError: There is no such session.
    """
    if not state.has_patch(PLANNING_IN_CHATS):
        return None
    if wanted is not None and wanted not in state.sessions:
        known = ", ".join(state.sessions) or "none"
        raise NotFoundError(f"no session {wanted!r} in this thread; it has: {known}")
    chats = [s for s in state.sessions.values() if s.is_chat and _is_begun(s, state)]
    found = next((s for s in reversed(chats) if wanted in {None, s.session_id}), None)
    if found is None or (choice and choice != PlannerChoice(agent=found.agent, model=found.model)):
        return None
    return found.session_id


def _is_begun(session: ThreadSession, state: ThreadState) -> bool:
    is_told = any(key.startswith(f"{session.session_id}/") for key in state.seen_prompts)
    return is_told and not session.is_archived and session.role is not SessionRole.TASK


def requested_plan(state: ThreadState, ask: Ask, choices: Sequence[PlannerChoice]) -> Decided:
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
    sessions = _planners(state, ask, choices)
    message = "; ".join(filter(None, ("planning", replaced_words(state))))
    answer = Answer(
        message=message, data={"session_id": sessions[0], "session_ids": list(sessions)}
    )
    events = (
        *end_planning(state),
        *_planning(state, ask, choices),
    )
    return Decided(events, answer)


def cancelled(state: ThreadState, by: str) -> Decided | None:
    """Return the end of planning that is under way: planners and critics stop, no plan waits.

    None where nothing is being planned.
    """
    is_planning = state.is_planning
    if not state.has_patch(PLANNING_AGAIN):
        planners = (state.sessions[planner] for planner in state.planning.planners)
        is_planning = any(not planner.is_archived for planner in planners)
    if not is_planning:
        return None
    events = (PlanningCancelled(by=by), *end_planning(state))
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
    is_chosen = command.agent is not None or command.model is not None
    first = choice_of(command.agent, command.model, state)
    chat = chat_to_plan_in(state, command.session_id, first if is_chosen else None)
    ask = Ask(command.goal or state.goal, command.command_id, chat, command.context)
    if chat is not None:
        if command.command_id and _key(state, ask) in state.seen_prompts:
            return Decided(answer=Answer(message="planning", data={"session_id": chat}))
        first = PlannerChoice(agent=state.sessions[chat].agent, model=state.sessions[chat].model)
    return requested_plan(state, ask, (first, *command.rivals))


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
    is_invited = isinstance(command, InvitePlanner)
    by = command.session_id if is_invited else command.by
    ask = Ask(state.goal, talk="" if is_invited else command.context)
    added = PlannerAdded(session_id=session_id, by=by)
    message = f"{choice.agent} plans beside the others; the person compares the plans"
    answer = Answer(message=message, data={"session_id": session_id})
    return Decided((session, added, _brief(state, ask, session_id)), answer)
