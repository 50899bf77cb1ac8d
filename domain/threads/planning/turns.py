"""What follows when a turn of a planner or critic ends: a plan in its reply, a nudge, a flag."""

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.reports import EndSessionTurn
from domain.core.agent_json import FencedJson, read_fenced_json
from domain.core.decisions import Decided
from domain.core.errors import InvalidPlanError
from domain.core.event import EventBody
from domain.tasks.agent_commands import ProposePlan
from domain.threads import events as thread_events
from domain.threads.amending import planning as amendment_planning
from domain.threads.contests.judging import opinion_of
from domain.threads.merging.chats import end_resolution
from domain.threads.planning.events import PlanCritiqued, PlannerNudged, PlannerWrote
from domain.threads.planning.proposing import newest_of, proposed_by_planner
from domain.threads.planning.state import Planner
from domain.threads.registry import THREAD_RULES
from domain.threads.running.own_turns import own_turn_ended
from domain.threads.state import ThreadState

MAX_PLANNER_NUDGES = 2
MAX_CRITIQUE = 16_000
MAX_FLAGGED = 50
MAX_REASON = 400


@THREAD_RULES.handles
def end_planner_turn(command: EndSessionTurn, state: ThreadState) -> Decided:
    if own := own_turn_ended(command, state):
        return Decided(own)
    session = state.sessions.get(command.session_id)
    if session is None or session.is_archived or state.lifecycle.is_deletion_requested:
        return Decided()
    if (resolved := end_resolution(command, state)) is not None:
        return resolved
    events = list(_flagged(command, state))
    if (judged := opinion_of(command, state)) is not None:
        return Decided((*events, *judged))
    if amendment_planning.is_proposer(command.session_id, state):
        ended = amendment_planning.proposer_ended(command, state)
        return ended._replace(events=(*events, *ended.events))
    planner, is_live = state.planning.planners.get(command.session_id), state.plan_status.is_live
    if command.session_id in state.planning.critics:
        events += _critique(command, state)
    elif planner is not None and session.role is SessionRole.PLANNER and not is_live:
        events += _after_turn(command, planner, state)
    return Decided(tuple(events))


def _flagged(command: EndSessionTurn, state: ThreadState) -> tuple[EventBody, ...]:
    """Tell of files that were changed by a session that may only look."""
    if not command.discarded or state.planning.flagged.get(command.session_id, 0) >= command.turn:
        return ()
    files = command.discarded[:MAX_FLAGGED]
    return (PlannerWrote(session_id=command.session_id, turn=command.turn, files=files),)


def _critique(command: EndSessionTurn, state: ThreadState) -> tuple[EventBody, ...]:
    revision = state.planning.critics[command.session_id]
    plan = state.plans[revision - 1]
    known = {critique.session_id: critique for critique in plan.critiques}
    earlier = known.get(command.session_id)
    text = command.text.strip()[:MAX_CRITIQUE]
    reason = command.failure or ("its turn was stopped" if command.is_stopped else "")
    failure = reason or ("" if text else "it ended its turn without a word")
    is_news = earlier is None or command.turn > earlier.turn or failure != earlier.failure
    if not is_news or (earlier and command.turn < earlier.turn):
        return ()
    return (
        PlanCritiqued(
            revision=revision,
            session_id=command.session_id,
            turn=command.turn,
            text=text,
            failure=failure,
        ),
    )


def _after_turn(
    command: EndSessionTurn, planner: Planner, state: ThreadState
) -> tuple[EventBody, ...]:
    """Take a plan out of the reply of a planner that proposed none by tool, else ask it again."""
    has_more = any(prompt.session_id == command.session_id for prompt in state.prompts)
    if planner.is_answered or has_more or command.turn_key in state.seen_prompts:
        return ()
    reason = command.failure or ("its turn was stopped" if command.is_stopped else "")
    if not reason:
        found = read_fenced_json(command.text)
        if found.is_there:
            return _taken(command, found, planner, state)
        if found.is_broken:
            return _refused(command, planner, found.problem)
        if _is_asked_about(command, state):
            return ()  # it answered a person's message; its plan stands
        return _asked_again(command, planner, found.problem)
    if reason == planner.failure or _is_asked_about(command, state):
        return ()
    return (thread_events.PlanningFailed(session_id=command.session_id, reason=reason),)


def _is_asked_about(command: EndSessionTurn, state: ThreadState) -> bool:
    newest = newest_of(command.session_id, state)
    return newest is not None and newest.request.request_id in state.requests


def _taken(
    command: EndSessionTurn, found: FencedJson, planner: Planner, state: ThreadState
) -> tuple[EventBody, ...]:
    proposal = ProposePlan(session_id=command.session_id, plan=found.value, doubts=command.doubts)
    try:
        return proposed_by_planner(proposal, state).events
    except InvalidPlanError as error:
        return _refused(command, planner, error.message)


def _refused(command: EndSessionTurn, planner: Planner, problems: str) -> tuple[EventBody, ...]:
    refused = thread_events.PlanRefused(session_id=command.session_id, problems=problems)
    again = _asked_again(command, planner, problems, is_refused=True)
    return (refused, *again) if again else ()  # told already: the same turn's end came twice


def _asked_again(
    command: EndSessionTurn, planner: Planner, problem: str, *, is_refused: bool = False
) -> tuple[EventBody, ...]:
    """Ask for the plan once more, with what was wrong; twice, then the person is told."""
    if planner.nudges >= MAX_PLANNER_NUDGES:
        last = problem if is_refused else planner.refusal or problem
        turns = f"the planner ended {planner.nudges + 1} turns without a plan that could be taken"
        reason = f"{turns}; the last reason: {' '.join(last.split())[:MAX_REASON]}"
        if reason == planner.failure:
            return ()
        return (thread_events.PlanningFailed(session_id=command.session_id, reason=reason),)
    name = PromptName.PLAN_REFUSED if is_refused else PromptName.PLAN_MISSING
    fields = {"problems" if is_refused else "problem": problem}
    queued = thread_events.PromptQueued(
        key=command.turn_key,
        session_id=command.session_id,
        prompt=Prompt(name=name, fields=fields),
    )
    return (PlannerNudged(session_id=command.session_id), queued)
