"""Rules of planning that an agent suggests and a person confirms."""

from domain.agents.agents import Prompt, SessionRole
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject, content_hash
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.ids import RequestId
from domain.core.wire import Wire
from domain.tasks.agent_commands import SuggestPlanning
from domain.threads import events as thread_events
from domain.threads.planning.commands import PlannerChoice
from domain.threads.planning.events import PlanningSuggested, SuggestionDecided
from domain.threads.planning.rules import Ask, chat_to_plan_in, check_planning, requested_plan
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


class _Shown(Wire):
    reason: str
    goal: str


@THREAD_RULES.handles
def suggest_planning(command: SuggestPlanning, state: ThreadState) -> Decided:
    session = state.sessions.get(command.session_id)
    if session is None or session.is_archived or session.role is not SessionRole.CHAT:
        raise WrongStateError("only a chat of the thread suggests planning: go on with your work")
    check_planning(state)
    if state.plan_status.is_live:
        raise WrongStateError("a plan is running: propose an amendment of it instead")
    message = (
        "The person is asked whether to plan first. Tell them why in a sentence, end your turn."
    )
    if state.planning.suggestion is not None:
        return Decided(answer=Answer(message=message))
    goal = command.goal or state.goal
    number = state.planning.suggested + 1
    request = ApprovalRequest(
        request_id=RequestId(f"suggestion-{number}"),
        subject=Subject.SUGGESTION,
        title=f"Plan first: {command.reason}",
        content_hash=content_hash(_Shown(reason=command.reason, goal=goal)),
    )
    suggested = PlanningSuggested(
        session_id=command.session_id, reason=command.reason, goal=goal, request=request
    )
    return Decided((suggested,), Answer(message=message))


@THREAD_RULES.decides(Subject.SUGGESTION)
def decide_suggestion(request: ApprovalRequest, outcome: Outcome, state: ThreadState) -> Decided:
    decided = SuggestionDecided(outcome=outcome)
    suggestion = state.planning.suggestion
    if suggestion is None:
        return Decided((decided,))
    session = state.sessions[suggestion.session_id]
    if outcome.choice is Choice.APPROVE:
        planner = PlannerChoice(agent=session.agent, model=session.model)
        chat = chat_to_plan_in(state, session.session_id, planner)
        requested = requested_plan(state, Ask(suggestion.goal, chat=chat), (planner,))
        return Decided((decided, *requested.events))
    if session.is_archived:
        return Decided((decided,))
    text = f"The person does not want a plan first, but says: {outcome.feedback}"
    queued = thread_events.PromptQueued(
        key=f"{session.session_id}/{request.request_id}",
        session_id=session.session_id,
        prompt=Prompt(fields={"text": text}),
    )
    return Decided((decided, queued))
