"""The session that knows all about a plan that runs, and what its agent may do.

After an approval the chat that planned is named, or a fresh one, which costs nothing before its first turn.
Each message to it, and each turn of its own, carries the plan and where its tasks stand.
"""

from collections.abc import Iterable

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.core.closest import few_names, known_names
from domain.core.command import AgentCommand, Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import WORK, SessionId, TaskId, session_stream
from domain.core.wire import size_bytes
from domain.plans.supervision import Advice
from domain.tasks.agent_commands import EnrichTask, ListPorts, ListTasks, Recommend
from domain.tasks.learnings import describe_learnings
from domain.tasks.status import TaskFilter, TaskStatus
from domain.threads import events as thread_events
from domain.threads.evolution import with_task
from domain.threads.patches import OWN_TURNS
from domain.threads.registry import THREAD_RULES
from domain.threads.running.briefs import amended, known_map
from domain.threads.running.digest import page, told_ports, told_tasks
from domain.threads.running.events import CoordinatorNamed, Recommended, TaskEnriched
from domain.threads.running.health import WAITING
from domain.threads.running.reports import told_questions
from domain.threads.running.state import Enrichment, Notice, ThreadTask
from domain.threads.state import ThreadState
from domain.threads.thread_sessions import QueuedPrompt, ThreadSession

ENRICHABLE = WAITING | {TaskStatus.BLOCKED}
MAX_CONTEXT = 20_000
"""Characters that a task is given to know, all in all."""

MAX_CONTEXTS_BYTES = 200_000
"""Of what all tasks of a plan are given: their thread carries it along."""

MAX_NOTICES = 50

MAY_ABORT = (
    "You may also abort a task (`abort_task`), with a reason: where its work is wrong from the ground "
    "up, or useless by now. The person sees it and can retry the task."
)
_BRIEFED = {
    PromptName.MESSAGE: PromptName.COORDINATOR,
    PromptName.OWN_TURN: PromptName.OWN_TURN,
}
"""The prompts to the coordinator that carry what is known of the plan, and the file for each."""


# --- the session


@THREAD_RULES.reacts
def name_coordinator(state: ThreadState) -> Iterable[EventBody]:
    """Name the session that planned in a chat, else a fresh one, and put the last plan's away."""
    opened = state.opened
    if opened is None or not state.plan_status.is_live or state.coordinated == state.plan_id:
        return
    planned = _planning_chat(state)
    earlier = state.sessions.get(state.coordinator) if state.coordinator else None
    if earlier is not None and not earlier.is_archived and earlier != planned:
        yield thread_events.SessionsArchived(session_ids=(earlier.session_id,))
        yield thread_events.PromptQueued(
            key=f"{earlier.session_id}/close", session_id=earlier.session_id
        )
    if planned is not None:
        yield CoordinatorNamed(plan_id=state.plan_id, session_id=planned.session_id)
        return
    session_id = session_stream(state.thread_id, len(state.sessions) + 1)
    yield thread_events.SessionOpened(
        session_id=session_id, role=SessionRole.CHAT, agent=opened.agent, model=opened.model
    )
    yield CoordinatorNamed(plan_id=state.plan_id, session_id=session_id)


def _planning_chat(state: ThreadState) -> ThreadSession | None:
    """Return the chat that planned, also where a rival's plan was approved; None if no chat did."""
    approved = state.plans[state.approved - 1] if state.approved else None
    planners = [name for name in (approved and approved.session_id, state.planner) if name]
    sessions = [state.sessions[name] for name in planners if name in state.sessions]
    works = state.working.session_id
    able = (each for each in sessions if each.is_chat or each.session_id == works)
    return next((each for each in able if not each.is_archived), None)


@THREAD_RULES.evolves
def apply_coordinator_named(event: CoordinatorNamed, state: ThreadState) -> ThreadState:
    return state.model_copy(update={"coordinator": event.session_id, "coordinated": event.plan_id})


def address(state: ThreadState) -> SessionId | None:
    """Return the coordinator that takes messages without an address, if there is one."""
    session = state.sessions.get(state.coordinator) if state.coordinator else None
    return None if session is None or session.is_archived else session.session_id


def briefed(queued: QueuedPrompt, state: ThreadState) -> Prompt | None:
    """Return a prompt as its session gets it: the coordinator's with all that is known now."""
    prompt = queued.prompt
    if prompt is None or prompt.name not in _BRIEFED or queued.session_id != state.coordinator:
        return prompt
    if state.sessions[queued.session_id].role is SessionRole.TASK:
        return prompt
    approved = state.plans[state.approved - 1] if state.approved else None
    fields = {
        **prompt.fields,
        "version": str(state.amending.version),
        "handoff": approved.handoff if approved else "",
        "tasks": told_tasks(state),
        "learnings": describe_learnings(state.learnings),
        "ports": told_ports(state),
        "questions": "\n".join(told_questions(state)),
        "amended": amended(state),
        "project_map": known_map(state),
    }
    if state.planner_settings.agent_aborts:
        fields["may_abort"] = MAY_ABORT
    return prompt.model_copy(update={"name": _BRIEFED[prompt.name], "fields": fields})


def escalated(state: ThreadState, task_id: TaskId, run: int, words: str) -> tuple[EventBody, ...]:
    """Tell the coordinator of a task that can't go on by itself, where somebody has spoken to it.

    In threads of before: in others it takes turns of its own (domain/threads/running/own_turns.py).
    """
    session_id = address(state)
    if session_id is None or task_id == WORK or state.has_patch(OWN_TURNS):
        return ()  # the work is done by the coordinator itself
    key = f"{session_id}/{task_id}-{run}-stopped"
    is_started = any(seen.startswith(f"{session_id}/") for seen in state.seen_prompts)
    if not is_started or key in state.seen_prompts:
        return ()
    text = (
        f"Task {task_id} {words}\n\nThe person is told too. Look into it as far as that helps, say "
        "what you find, and advise them with the tool `recommend`."
    )
    prompt = Prompt(fields={"text": text})
    return (thread_events.PromptQueued(key=key, session_id=session_id, prompt=prompt),)


# --- its tools


def check_chat(command: AgentCommand, state: ThreadState) -> None:
    """Refuse what only an open chat of a thread with a plan may call.

    Raises:
        WrongStateError: It comes from another session, or no plan was started.
    """
    session = state.sessions.get(command.session_id)
    if session is None or session.is_archived or session.role is not SessionRole.CHAT:
        raise WrongStateError("only an open chat of the thread may call this: end your turn")
    if not state.tasks:
        raise WrongStateError(f"no plan runs: its status is {state.plan_status}")


def check_reader(command: AgentCommand, state: ThreadState) -> None:
    """Refuse what only an open chat or a planner of an amendment may call.

    Raises:
        WrongStateError: It comes from another session, or no plan was started.
    """
    session = state.sessions.get(command.session_id)
    is_amending = command.session_id in state.amending.planners
    if session is not None and session.role is SessionRole.PLANNER and not is_amending:
        raise WrongStateError("no plan runs that you could look up: go on with your own")
    if session is None or session.is_archived or not is_amending:
        check_chat(command, state)


def _known(task_id: TaskId, state: ThreadState) -> ThreadTask:
    entry = state.tasks.get(task_id)
    if entry is None:
        known = known_names(task_id, state.tasks)
        raise NotFoundError(f"no task {task_id!r}; this plan has: {known}")
    return entry


@THREAD_RULES.handles
def list_tasks(command: ListTasks, state: ThreadState) -> Decided:
    check_reader(command, state)
    if command.status or command.after:
        listed = page(state, command.status or TaskFilter.ALL, command.after)
        return Decided(answer=Answer(message=listed))
    parts = [f"The plan is {state.plan_status}.", told_tasks(state)]
    if state.learnings:
        parts += ["Learned so far:", describe_learnings(state.learnings)]
    if asked := told_questions(state):
        parts += ["Open questions:", *asked]
    return Decided(answer=Answer(message="\n".join(parts)))


@THREAD_RULES.handles
def list_ports(command: ListPorts, state: ThreadState) -> Decided:
    above = command.session_id.removeprefix(f"{state.thread_id}/").partition("/")[0]
    own = state.sessions.get(command.session_id)
    is_of_task = above in state.tasks or (own is not None and own.role is SessionRole.TASK)
    if not is_of_task:  # an agent of a task may look where its siblings serve
        check_chat(command, state)
    return Decided(answer=Answer(message=told_ports(state) or "no task declares a port"))


@THREAD_RULES.handles
def enrich_task(command: EnrichTask, state: ThreadState) -> Decided:
    check_chat(command, state)
    entry = _known(command.task_id, state)
    if not state.plan_status.is_live or entry.status not in ENRICHABLE:
        raise WrongStateError(
            f"task {command.task_id!r} is {entry.status}, the plan {state.plan_status}: only tasks "
            "that have not started can be given something to know"
        )
    text = command.context.strip()
    answer = Answer(message=f"Task {command.task_id} will read it when it starts.")
    if any(known.text == text for known in entry.context):
        return Decided(answer=answer)
    if sum(len(known.text) for known in entry.context) + len(text) > MAX_CONTEXT:
        raise InvalidError(
            f"a task is given at most {MAX_CONTEXT} characters to know: say only what it needs"
        )
    given = size_bytes([e.context for e in state.tasks.values()])
    if given + size_bytes(text) > MAX_CONTEXTS_BYTES:
        raise InvalidError("the tasks of this plan were given all that there is room for")
    enriched = TaskEnriched(
        plan_id=state.plan_id, task_id=command.task_id, text=text, session_id=command.session_id
    )
    return Decided((enriched,), answer)


@THREAD_RULES.evolves
def apply_task_enriched(event: TaskEnriched, state: ThreadState) -> ThreadState:
    given = Enrichment(text=event.text, session_id=event.session_id)
    known = state.tasks[event.task_id].context
    return with_task(state, event.task_id, context=(*known, given))


@THREAD_RULES.handles
def recommend(command: Recommend, state: ThreadState) -> Decided:
    check_chat(command, state)
    advice = Advice(command.action)
    run = 0
    if command.task_id is not None:
        run = _known(command.task_id, state).run
    elif advice in {Advice.ABORT, Advice.RETRY}:
        raise InvalidError(f"name the task to {advice}: {few_names(state.tasks)}")
    answer = Answer(message="The person sees your advice. Nothing happens before they do it.")
    notice = Notice(advice=advice, reason=command.reason, task_id=command.task_id, run=run)
    if notice in state.notices:
        return Decided(answer=answer)
    recommended = Recommended(
        plan_id=state.plan_id,
        advice=advice,
        task_id=command.task_id,
        run=run,
        reason=command.reason,
        session_id=command.session_id,
    )
    return Decided((recommended,), answer)


@THREAD_RULES.evolves
def apply_recommended(event: Recommended, state: ThreadState) -> ThreadState:
    notice = Notice(advice=event.advice, reason=event.reason, task_id=event.task_id, run=event.run)
    return state.model_copy(update={"notices": (*state.notices, notice)[-MAX_NOTICES:]})
