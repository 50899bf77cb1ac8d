"""The verbs of plans said in a chat: a message that is one is carried out, and told to no agent."""

from datetime import datetime

from domain.conversations.commands import SendMessage
from domain.core.acting import program_of
from domain.core.approval_commands import Decide
from domain.core.approvals import content_hash
from domain.core.command import Answer, Command
from domain.core.decisions import Decided
from domain.core.errors import ForbiddenError, InvalidError
from domain.core.ids import TaskId, thread_of
from domain.plans.slash_commands import LISTED, SlashCommand, Verb, parse_slash_command
from domain.tasks.running_commands import Cancel, Pause, Resume, Retry, SetOwnTurns
from domain.threads.planning.commands import RequestPlan, SetAuto
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import AutoSet
from domain.threads.running.reports import status_text
from domain.threads.state import ThreadState

_PLAIN: dict[Verb, type[Command]] = {
    Verb.PAUSE: Pause,
    Verb.RESUME: Resume,
    Verb.CANCEL: Cancel,
}
"""The verbs without words."""

_DOORS: dict[Verb, str] = {
    **{verb: command.door for verb, command in _PLAIN.items()},
    Verb.GOAL: RequestPlan.door,
    Verb.AUTO: SetAuto.door,
    Verb.TURNS: SetOwnTurns.door,
    Verb.RETRY: Retry.door,
    Verb.DECIDE: Decide.door,
}


def acting_door(command: Command, workflow_id: str) -> str:
    """Return the door whose role a command needs: a message to a thread that is a verb acts as its command."""
    if not isinstance(command, SendMessage) or thread_of(workflow_id) != workflow_id:
        return command.door
    try:
        slash = parse_slash_command(command.text)
    except InvalidError:
        return command.door  # it is refused, with what there is
    return _DOORS.get(slash.verb, command.door) if slash else command.door


def carry_out_verb(message: SendMessage, state: ThreadState, now: datetime) -> Decided | None:
    """Carry out the verb that a message is; None for a message that is none.

    Raises:
        TreadleError: There is no such verb, its words do not fit, or it is refused.
    """
    slash = parse_slash_command(message.text)
    if slash is None:
        return None
    if program_of(message.by):
        raise ForbiddenError(f"{message.by} can't use plan commands: a program decides nothing")
    command = _command(slash, message, state)
    if command is None:
        decided = _explained(slash, state)
    else:
        decided = THREAD_RULES.handle(state, command, now)
    answer = decided.answer
    data = {**answer.data, "verb": slash.verb.value}
    return decided._replace(answer=Answer(message=answer.message, data=data))


def _explained(slash: SlashCommand, state: ThreadState) -> Decided:
    if slash.verb is Verb.STATUS:
        return Decided(answer=Answer(message=status_text(state)))
    return Decided(answer=Answer(message=f"What is the goal? Say /plan GOAL, or: {LISTED}"))


def _command(slash: SlashCommand, message: SendMessage, state: ThreadState) -> Command | None:
    """Return the command that a verb stands for; None for one that only asks."""
    command = _bare(slash, message, state)
    who = {"command_id": message.command_id, "by": message.by}
    return None if command is None else command.model_copy(update=who)


def _bare(slash: SlashCommand, message: SendMessage, state: ThreadState) -> Command | None:
    if (plain := _PLAIN.get(slash.verb)) is not None:
        return plain()
    match slash.verb, slash.words:
        case Verb.GOAL, (goal,):
            return RequestPlan(goal=goal, session_id=message.session_id)
        case Verb.AUTO, (switch,):
            return SetAuto(is_on=switch == "on")
        case Verb.TURNS, (number,):
            return SetOwnTurns(turns=0 if number == "off" else int(number))
        case Verb.RETRY, (task,):
            return Retry(task_id=TaskId(task))
        case Verb.DECIDE, (name, choice):
            entry = state.decisions.get(name)
            shown = content_hash(entry.decision) if entry else ""
            if not shown.startswith(slash.shown):
                shown = slash.shown  # it was another one, which is refused
            return Decide(decision_id=name, content_hash=shown, selections=(choice,))
        case _:
            return None


@THREAD_RULES.handles
def set_auto(command: SetAuto, state: ThreadState) -> Decided:
    switch = "on" if command.is_on else "off"
    if command.is_on == state.is_auto:
        return Decided(answer=Answer(message=f"auto is already {switch}"))
    message = f"auto is {switch}: plans " + (
        "without warnings start as soon as they are proposed" if command.is_on else "wait for you"
    )
    return Decided((AutoSet(is_on=command.is_on, by=command.by),), Answer(message=message))


@THREAD_RULES.evolves
def apply_auto_set(event: AutoSet, state: ThreadState) -> ThreadState:
    return state.model_copy(update={"is_auto": event.is_on, "auto_by": event.by})
