"""Planning sessions that work out an amendment: what they are told, and what they end without."""

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.reports import EndSessionTurn
from domain.core.agent_json import read_fenced_json
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import TreadleError, WrongStateError
from domain.core.ids import SessionId, session_stream
from domain.plans.modes import planner_catalogue
from domain.plans.templates.hints import conventions
from domain.tasks.agent_commands import PlanAmendment, ProposeAmendment
from domain.tasks.learnings import describe_learnings
from domain.threads.amending import events as amending_events
from domain.threads.amending.rules import check_amendable, proposed_by_session, refused_amendment
from domain.threads.events import PromptQueued, SessionOpened
from domain.threads.patches import LARGE_PLANS_ARE_DIGESTED
from domain.threads.planning.commands import RequestAmendment
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import check_chat
from domain.threads.running.digest import digest, is_large
from domain.threads.running.state import ThreadTask
from domain.threads.sessions import opened_by
from domain.threads.state import ThreadState

MAX_NUDGES = 2
MAX_PLANNERS = 3
MAX_TASKS_TEXT = 24_000
_DESCRIPTION = 600


@THREAD_RULES.handles
def request_amendment(command: RequestAmendment, state: ThreadState) -> Decided:
    check_amendable(state)
    return _planned(command, state)


@THREAD_RULES.handles
def plan_amendment(command: PlanAmendment, state: ThreadState) -> Decided:
    """Open a planner for a chat's agent, where a change is too large to propose off-hand."""
    check_chat(command, state)
    check_amendable(state)
    opened = state.opened
    if earlier := opened_by(command.command_id, state):
        return Decided(answer=Answer(message="planning", data={"session_id": earlier}))
    asked = RequestAmendment(
        command_id=command.command_id,
        text=command.request,
        agent=opened.agent if opened else None,
        model=opened.model if opened else None,
        by=command.session_id,
    )
    decided = _planned(asked, state)
    words = (
        "A planner looks at the state of the plan and proposes; the person decides. End your turn."
    )
    return decided._replace(answer=Answer(message=words, data=decided.answer.data))


def _planned(command: RequestAmendment, state: ThreadState) -> Decided:
    busy = [s for s in state.amending.planners if not state.sessions[s].is_archived]
    if len(busy) >= MAX_PLANNERS:
        names = ", ".join(busy)
        raise WrongStateError(f"{names} work on amendments already: decide on theirs first")
    opened = state.opened
    session_id = session_stream(state.thread_id, len(state.sessions) + 1)
    session = SessionOpened(
        session_id=session_id,
        role=SessionRole.PLANNER,
        agent=command.agent or (opened.agent if opened else ""),
        model=command.model or (opened.model if opened and command.agent is None else None),
        command_id=command.command_id,
    )
    prompt = Prompt(name=PromptName.AMENDMENT_PLANNER, fields=_fields(command.text, state))
    asked = amending_events.AmendmentRequested(
        session_id=session_id, text=command.text, by=command.by
    )
    queued = PromptQueued(key=f"{session_id}/amendment", session_id=session_id, prompt=prompt)
    answer = Answer(message="planning an amendment", data={"session_id": session_id})
    return Decided((session, asked, queued), answer)


def _fields(request: str, state: ThreadState) -> dict[str, str]:
    questions = (f"- {d.id}: {d.question}" for d in state.open_decisions)
    opened = state.opened
    return {
        "request": request,
        "version": str(state.amending.version),
        "handoff": state.handoff,
        "tasks": describe_tasks(state),
        "learnings": describe_learnings(state.learnings),
        "questions": "\n".join(questions),
        "project_map": opened.facts.project_map if opened else "",
        "template_hints": conventions(opened.template) if opened else "",
        "modes": planner_catalogue(),
    }


def describe_tasks(state: ThreadState) -> str:
    """Return where the tasks of the running plan stand, as a planner of an amendment reads it."""
    if is_large(state) and state.has_patch(LARGE_PLANS_ARE_DIGESTED):
        return digest(state)
    lines = [_describe_task(entry) for entry in state.tasks.values()]
    text = "\n".join(lines)
    if len(text) <= MAX_TASKS_TEXT:
        return text
    return "\n".join(line.partition("\n")[0] for line in lines)[:MAX_TASKS_TEXT]


def _describe_task(entry: ThreadTask) -> str:
    task = entry.task
    needs = f", depends on {', '.join(task.depends_on)}" if task.depends_on else ""
    notes = f" ({entry.notes})" if entry.notes else ""
    head = f"- `{task.id}` {task.title}: {entry.status}{notes}, {task.mode}{needs}"
    text = " ".join(task.description.split())[:_DESCRIPTION]
    return f"{head}\n  {text}" if text else head


def proposer_ended(command: EndSessionTurn, state: ThreadState) -> Decided:
    """Take an amendment out of the reply of a session that proposed none by tool, else ask again.

    Twice, then the person is told.
    """
    session_id = command.session_id
    has_proposed = any(each.session_id == session_id for each in state.amending.open.values())
    has_more = any(prompt.session_id == session_id for prompt in state.prompts)
    if has_proposed or has_more or state.sessions[session_id].is_archived:
        return Decided()
    nudges = state.amending.planners[session_id]
    reason = command.failure or ("its turn was stopped" if command.is_stopped else "")
    if reason:
        return _gave_up(state, session_id, reason)
    if command.turn_key in state.seen_prompts:
        return Decided()
    found = read_fenced_json(command.text)
    if not found.is_there:
        return _asked_again(command, state, nudges, found.problem)
    proposal = ProposeAmendment(session_id=session_id, amendment=found.value, doubts=command.doubts)
    try:
        return proposed_by_session(state, proposal)
    except TreadleError as error:
        again = _asked_again(command, state, nudges, error.message)
        # nothing follows where the same turn's end came twice
        return (
            Decided((refused_amendment(proposal, error), *again.events)) if again.events else again
        )


def _gave_up(state: ThreadState, session_id: SessionId, reason: str) -> Decided:
    if state.amending.failures.get(session_id) == reason:
        return Decided()
    return Decided((amending_events.AmendmentFailed(session_id=session_id, reason=reason),))


def _asked_again(command: EndSessionTurn, state: ThreadState, nudges: int, problem: str) -> Decided:
    session_id = command.session_id
    if nudges >= MAX_NUDGES:
        words = f"it ended {nudges + 1} turns without an amendment that could be taken"
        return _gave_up(state, session_id, words)
    fields = {"version": str(state.amending.version), "problem": problem}
    prompt = Prompt(name=PromptName.AMENDMENT_MISSING, fields=fields)
    queued = PromptQueued(key=command.turn_key, session_id=session_id, prompt=prompt)
    return Decided((amending_events.AmendmentNudged(session_id=session_id), queued))


def is_proposer(session_id: SessionId, state: ThreadState) -> bool:
    """Tell whether a session was opened to propose an amendment."""
    return session_id in state.amending.planners
