"""Rules of the set-up: it begins with the thread, holds its tasks, and a failed one waits for a person."""

from collections.abc import Iterable

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.threads.effects import ThreadEffect
from domain.threads.registry import THREAD_RULES
from domain.threads.setting_up import events as set_up_events
from domain.threads.setting_up.commands import RetrySetUp, SkipSetUp
from domain.threads.setting_up.effects import EndSetUp, SetUpWorkspaces
from domain.threads.setting_up.state import SetUp, SetUpStage
from domain.threads.state import ThreadState

_DONE = {SetUpStage.NONE, SetUpStage.READY}


@THREAD_RULES.reacts
def begin_set_up(state: ThreadState) -> Iterable[EventBody]:
    """Set up as soon as the thread is open: planning takes longer, most often."""
    recipe = state.opened.recipe if state.opened else ""
    if recipe and state.set_up.stage is SetUpStage.NONE:
        yield set_up_events.SetUpStarted(number=1, recipe=recipe)


@THREAD_RULES.requires
def set_up_workspaces(state: ThreadState) -> Iterable[ThreadEffect]:
    if state.set_up.stage is SetUpStage.RUNNING:
        yield SetUpWorkspaces(number=state.set_up.number)


@THREAD_RULES.handles
def end_set_up(command: EndSetUp, state: ThreadState) -> Decided:
    set_up = state.set_up
    if set_up.stage is not SetUpStage.RUNNING or set_up.number != command.number:
        return Decided()
    return Decided((set_up_events.SetUpEnded(number=command.number, result=command.result),))


@THREAD_RULES.handles
def retry_set_up(command: RetrySetUp, state: ThreadState) -> Decided:
    set_up = state.set_up
    recipe = command.recipe or set_up.recipe
    if set_up.stage is SetUpStage.RUNNING:
        if recipe == set_up.recipe:
            return Decided(answer=Answer(message="workspaces are being set up already"))
        raise WrongStateError("workspaces are being set up: wait until that has ended")
    if not recipe or (set_up.stage in _DONE and recipe == set_up.recipe):
        raise WrongStateError("no set-up has failed in this thread: there is nothing to retry")
    started = set_up_events.SetUpStarted(number=set_up.number + 1, recipe=recipe, by=command.by)
    return Decided((started,), Answer(message="workspaces are being set up again"))


@THREAD_RULES.handles
def skip_set_up(command: SkipSetUp, state: ThreadState) -> Decided:
    stage = state.set_up.stage
    if stage is SetUpStage.SKIPPED:
        return Decided(answer=Answer(message="skipped already"))
    if not state.set_up.holds_tasks:
        raise WrongStateError("no set-up is under way or has failed: there is nothing to skip")
    message = "skipped: workspaces have what git gives them"
    return Decided((set_up_events.SetUpSkipped(by=command.by),), Answer(message=message))


@THREAD_RULES.evolves
def apply_started(event: set_up_events.SetUpStarted, state: ThreadState) -> ThreadState:
    begun = SetUp(number=event.number, stage=SetUpStage.RUNNING, recipe=event.recipe)
    return state.model_copy(update={"set_up": begun})


@THREAD_RULES.evolves
def apply_ended(event: set_up_events.SetUpEnded, state: ThreadState) -> ThreadState:
    stage = SetUpStage.FAILED if event.result.failure else SetUpStage.READY
    changes = {"stage": stage, "result": event.result}
    return state.model_copy(update={"set_up": state.set_up.model_copy(update=changes)})


@THREAD_RULES.evolves
def apply_skipped(event: set_up_events.SetUpSkipped, state: ThreadState) -> ThreadState:
    del event
    skipped = state.set_up.model_copy(update={"stage": SetUpStage.SKIPPED})
    return state.model_copy(update={"set_up": skipped})
