"""Rules of critics: another agent looks for what is wrong with a proposed plan."""

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.text import bullets
from domain.threads import events as thread_events
from domain.threads.planning.commands import RequestCritique
from domain.threads.planning.events import CritiqueRequested
from domain.threads.planning.proposing import quoted, revision_of
from domain.threads.planning.rules import choice_of
from domain.threads.registry import THREAD_RULES
from domain.threads.sessions import next_session, opened_by
from domain.threads.state import ThreadState

MAX_CRITICS = 5


@THREAD_RULES.handles
def request_critique(command: RequestCritique, state: ThreadState) -> Decided:
    if earlier := opened_by(command.command_id, state):
        return Decided(answer=Answer(message="reviewing", data={"session_id": earlier}))
    choice = choice_of(command.agent, command.model, state)
    proposed = revision_of(command.revision, state)
    if state.plan_status.is_live:
        raise WrongStateError("a plan is running: critics look at plans before they start")
    busy = [c for c in state.planning.critics if not state.sessions[c].is_archived]
    if len(busy) >= MAX_CRITICS:
        raise WrongStateError(f"{len(busy)} critics were asked already, at most {MAX_CRITICS}")
    session_id = next_session(state)
    session = thread_events.SessionOpened(
        session_id=session_id,
        role=SessionRole.REVIEWER,
        agent=choice.agent,
        model=choice.model,
        command_id=command.command_id,
    )
    fields = {
        "revision": str(proposed.revision),
        "goal": proposed.plan.goal or state.goal,
        "plan": quoted(proposed.plan),
        "warnings": bullets(warning.text for warning in proposed.warnings),
    }
    queued = thread_events.PromptQueued(
        key=f"{session_id}/review",
        session_id=session_id,
        prompt=Prompt(name=PromptName.CRITIC, fields=fields),
    )
    asked = CritiqueRequested(revision=proposed.revision, session_id=session_id, by=command.by)
    answer = Answer(message="reviewing", data={"session_id": session_id})
    return Decided((session, asked, queued), answer)
