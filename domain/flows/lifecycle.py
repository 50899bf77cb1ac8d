"""Rules that runs have as threads do: names and places, the shared directory, remembered answers, an end."""

from collections.abc import Iterator

from domain.conversations.questions.commands import FindRule, ForgetRule
from domain.conversations.questions.rules import forget
from domain.conversations.reports import NoteRules
from domain.core.command import AgentCommand, Answer, Coded
from domain.core.decisions import Decided
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.directories.events import DirectoryAsked, DirectoryFreed
from domain.core.errors import InvalidError, WrongStateError
from domain.core.lifecycle import events as lifecycle_events
from domain.core.lifecycle.commands import Archive, DeleteThread, Rename, Unarchive
from domain.core.wire import Wire
from domain.flows.effects import FlowEffect, RemoveRun
from domain.flows.events import FlowStopped, FlowStopRequested
from domain.flows.registry import FLOW_RULES
from domain.flows.state import FlowState, FlowStatus


@FLOW_RULES.guards
def refuse_if_deleting(command: Wire, state: FlowState) -> None:
    """Refuse what would begin something in a run that is being deleted; stopping is always fine.

    Raises:
        WrongStateError: It is.
    """
    begins = isinstance(command, Coded | AgentCommand) and not isinstance(command, DeleteThread)
    if begins and state.is_deletion_requested:
        raise WrongStateError("this run is being deleted: nothing more begins in it")


@FLOW_RULES.requires
def remove_run(state: FlowState) -> Iterator[FlowEffect]:
    """Yield the removal of a run, once nothing of it is under way."""
    holds = any("/" not in turn.session_id for turn in state.directory.turns)
    is_quiet = not (state.status.is_at_work or state.retiring or holds)
    if state.is_deletion_requested and is_quiet:
        yield RemoveRun(is_forced=state.is_deletion_forced)


@FLOW_RULES.handles
def rename_run(command: Rename, state: FlowState) -> Decided:
    topic = " ".join(command.topic.split())
    if not topic:
        raise InvalidError("a title must say something")
    answer = Answer(message=f"renamed to {topic!r}")
    if topic == state.title:
        return Decided(answer=answer)
    return Decided((lifecycle_events.ThreadRenamed(topic=topic, by=command.by),), answer)


@FLOW_RULES.handles
def archive_run(command: Archive, state: FlowState) -> Decided:
    if state.status.is_at_work:
        raise WrongStateError(f"{state.run_id} runs: stop it before you archive it")
    archived = lifecycle_events.ThreadArchived(by=command.by)
    return Decided(() if state.is_archived else (archived,), Answer(message="archived"))


@FLOW_RULES.handles
def unarchive_run(command: Unarchive, state: FlowState) -> Decided:
    back = lifecycle_events.ThreadUnarchived(by=command.by)
    answer = Answer(message="unarchived")
    return Decided((back,) if state.is_archived else (), answer)


@FLOW_RULES.handles
def delete_run(command: DeleteThread, state: FlowState) -> Decided:
    answer = Answer(message="deleting")
    if state.is_deletion_requested:
        return Decided(answer=answer)
    if state.status.is_at_work and not command.is_forced:
        raise WrongStateError(
            f"it is {state.shown_status}: `treadle flow stop {state.run_id}` first, or delete it with "
            "--force, which stops it"
        )
    wanted = lifecycle_events.DeletionRequested(is_forced=command.is_forced, by=command.by)
    if state.status is not FlowStatus.RUNNING:
        return Decided((wanted,), answer)
    if not state.is_ended_by_others:
        stopped = FlowStopped(step_index=state.index, reason="deleted")
        return Decided((wanted, FlowStopRequested(by=command.by), stopped), answer)
    return Decided((wanted, FlowStopRequested(by=command.by)), answer)


# --- the directory


@FLOW_RULES.handles
def ask_directory(command: AskDirectory, state: FlowState) -> Decided:
    name = command.session_id
    # a run of another flow that a step began asks under its own id, for itself and for its own
    is_child = name.startswith("flow-") and "/" not in name and name != state.owner
    is_own = name.startswith(f"{state.run_id}/session-") or is_child
    if not is_own or state.directory.knows(command.turn_id):
        return Decided()
    return Decided((DirectoryAsked(**dict(command)),))


@FLOW_RULES.handles
def free_directory(command: FreeDirectory, state: FlowState) -> Decided:
    if not state.directory.knows(command.turn_id):
        return Decided()
    return Decided((DirectoryFreed(turn_id=command.turn_id),))


# --- answers that count in the whole run


@FLOW_RULES.handles
def remember_rules(command: NoteRules, state: FlowState) -> Decided:
    return Decided(state.remembered.noted(command))


@FLOW_RULES.handles
def find_rule(command: FindRule, state: FlowState) -> Decided:
    return Decided(answer=state.remembered.found(command))


@FLOW_RULES.handles
def forget_rule(command: ForgetRule, state: FlowState) -> Decided:
    return forget(state.remembered.rules, command)
