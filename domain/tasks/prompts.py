"""The prompts of a task's turns, by whose turn it is and what it is for."""

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.conversation import Conversation
from domain.core.attachments import MAX_ATTACHMENTS
from domain.core.beside import describe_beside
from domain.core.ids import WORK
from domain.core.text import bullets, counted
from domain.plans.modes import guide, specialist_of
from domain.tasks.conflicts import ConflictWork
from domain.tasks.inputs import TaskInput
from domain.tasks.learnings import describe_learnings
from domain.tasks.review_prompts import review_prompt
from domain.tasks.state import TaskState
from domain.verification.steps import failure_report

REPORT_LIMIT = 16_000
_PRIMED = frozenset({"task_id", "title", "description", "handoff", "task_plan"})
"""What of a task the prompt for a fresh context tells."""

_THE_WORK = "at hand"
"""What stands after `task` in the headings of prompts for the work of a plan without tasks."""


def prompt_of(task: TaskInput, state: TaskState) -> Prompt:
    """Return the prompt of the running turn; of the worker's next one where none runs."""
    conversation = state.running if state.turn else state.worker
    if conversation is None or conversation.role is SessionRole.TASK:
        return _work(task, state, conversation)
    if conversation.role is SessionRole.TASK_PLANNER:
        return _planning(task, state)
    if conversation.role is SessionRole.REVIEWER:
        return _plan_review(task, state)
    if conversation.role is SessionRole.CODE_REVIEWER:
        known = Prompt(fields=_fields(task, state), quotes=task.brief.quotes)
        return review_prompt(known, state)
    return _messages(state)


def primer_of(task: TaskInput, state: TaskState) -> Prompt | None:
    """Return what goes around the running turn's prompt where its agent knows nothing of earlier ones."""
    conversation = state.running
    if conversation is None:
        return None
    if conversation.own_turns <= 1 and not conversation.is_fresh and task.composed is None:
        return None
    known = {n: text for n, text in _fields(task, state).items() if n in _PRIMED}
    done = f"{counted(conversation.own_turns - 1, 'turn')}, {counted(len(state.attempts), 'verification')}"
    fields = {**known, "progress": done}
    quotes = {n: event_id for n, event_id in task.brief.quotes.items() if n in _PRIMED}
    return Prompt(name=PromptName.COMPACTED, fields=fields, quotes=quotes)


def _messages(state: TaskState) -> Prompt:
    waiting = state.turn.messages if state.turn else state.messages
    text = "\n\n".join(message.text for message in waiting)
    files = tuple(file for message in waiting for file in message.attachments)[-MAX_ATTACHMENTS:]
    return Prompt(name=PromptName.MESSAGE, fields={"text": text}, attachments=files)


def _work(task: TaskInput, state: TaskState, conversation: Conversation | None) -> Prompt:
    name = state.next_prompt
    if conversation is not None and conversation.is_compacting:
        return Prompt(fields={"text": f"/{conversation.compact_command}"})
    if name is PromptName.MESSAGE:
        return _messages(state)
    if name is PromptName.CONFLICT and task.conflict is not None:
        fields = _conflict_fields(task, task.conflict, state)
        return Prompt(name=name, fields=fields, quotes=task.brief.quotes)
    if name is PromptName.TASK:
        said = _messages(state)
        fields = {**_fields(task, state), "said": said.fields["text"] if state.turn else ""}
        files = said.attachments if state.turn else ()
        return Prompt(name=name, fields=fields, quotes=task.brief.quotes, attachments=files)
    if name is PromptName.VERIFICATION_FAILED and state.attempt is not None:
        left = state.max_retries - state.failed_in_a_row + 1
        report = failure_report(state.steps, state.attempt)[:REPORT_LIMIT]
        number = str(state.attempt.attempt)
        fields = {"attempt": number, "attempts_left": str(left), "report": report}
        return Prompt(name=name, fields=fields)
    if name is PromptName.GATE_REJECTED:
        return Prompt(name=name, fields={"feedback": state.reason})
    return Prompt(name=name)


def _planning(task: TaskInput, state: TaskState) -> Prompt:
    planning = state.planning
    if planning is None or planning.next_prompt is PromptName.MESSAGE:
        return _messages(state)
    fields = {**_fields(task, state), "feedback": planning.feedback}
    return Prompt(name=planning.next_prompt, fields=fields, quotes=task.brief.quotes)


def _plan_review(task: TaskInput, state: TaskState) -> Prompt:
    problem = state.planning.problem if state.planning else ""
    fields = {**_fields(task, state), "problem": problem}
    return Prompt(name=PromptName.TASK_PLAN_REVIEW, fields=fields, quotes=task.brief.quotes)


def _conflict_fields(task: TaskInput, work: ConflictWork, state: TaskState) -> dict[str, str]:
    """Return what the agent is told that resolves a conflict, or goes on where a person did."""
    left = state.snapshot.unresolved if state.snapshot else ()
    notes = [f"- {note}" for note in work.notes]
    if left:
        notes.insert(0, "- Conflict markers are left in these files: nothing was verified yet.")
    elif state.attempt is not None:
        notes.insert(0, failure_report(state.steps, state.attempt)[:REPORT_LIMIT])
    files = bullets(left or work.files)
    return {**_fields(task, state), "files": files, "notes": "\n".join((*notes, state.reason))}


def _fields(task: TaskInput, state: TaskState) -> dict[str, str]:
    planned = task.task
    plan = state.planning.plan if state.planning else None
    steps = bullets(f"{s.label} [{s.type}: {s.subject}]" for s in planned.verification)
    ports = bullets(f"{port.id}: {port.description}" for port in planned.ports)
    others = {"beside": describe_beside(task.beside)} if task.beside else {}
    return {
        **others,
        "task_id": _THE_WORK if planned.id == WORK else planned.id,
        "title": planned.title,
        "description": planned.description,
        "area": "\n".join(planned.area),
        "mode_title": specialist_of(planned),
        "mode_guidance": guide(planned.mode).agent_guidance,
        "handoff": task.brief.handoff,
        "amended": task.brief.amended,
        "project_map": task.brief.project_map,
        "upstream": task.brief.upstream,
        "context": task.brief.context,
        "decisions": task.brief.decisions,
        "learnings": describe_learnings(task.brief.learnings),
        "task_plan": plan.text if plan else "",
        "suffix": planned.prompt_suffix,
        "verification": steps,
        "ports": ports,
        "terminals": bullets(planned.terminals),
    }
