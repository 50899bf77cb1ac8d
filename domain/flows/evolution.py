"""How each event changes what is known of a run of a flow."""

from domain.conversations.questions import events as question_events
from domain.core.directories import events as directory_events
from domain.core.lifecycle import events as lifecycle_events
from domain.core.notices import WorkflowTerminated
from domain.flows import events as flow_events
from domain.flows.definition import FlowStep
from domain.flows.program import Spot, after_step, resting_place
from domain.flows.registry import FLOW_RULES
from domain.flows.state import (
    ChildRun,
    Conversation,
    FlowState,
    FlowStatus,
    StepOutput,
    StepUnderWay,
    SubflowRuns,
    stop_words,
)

_HELD = frozenset(
    {
        flow_events.StepOutcome.NO_ANSWER,
        flow_events.StepOutcome.STOPPED,
        flow_events.StepOutcome.FAILED,
    }
)
"""The run stays where it is after a step that ended so, unless its failure is passed over."""

FINISHED = frozenset(flow_events.StepOutcome) - _HELD
"""The run goes on behind a step that ended so."""

MAX_ANSWERED = 50


def _with(state: FlowState, **changes: object) -> FlowState:
    return state.model_copy(update=changes)


@FLOW_RULES.evolves
def apply_flow_started(event: flow_events.FlowStarted, state: FlowState) -> FlowState:
    names = ("run_id", "title", "definition", "agents", "repository", "folder")
    same = {
        name: getattr(event, name)
        for name in (*names, "base", "branch", "host", "command_id", "recipe", "parent")
    }
    return _with(state, **same, status=FlowStatus.RUNNING)


@FLOW_RULES.evolves
def apply_terminated(event: WorkflowTerminated, state: FlowState) -> FlowState:
    return _with(state, status=FlowStatus.TERMINATED, reason=event.reason, request=None, step=None)


@FLOW_RULES.evolves
def apply_flow_conversation_opened(
    event: flow_events.FlowConversationOpened, state: FlowState
) -> FlowState:
    chosen = flow_events.ChosenAgent(agent=event.agent, model=event.model)
    known = state.agents.get(event.slot.agent_type, chosen)
    opened = Conversation(slot=event.slot, session_id=event.session_id, chosen=known)
    return _with(
        state,
        conversations=(*state.conversations, opened),
        opened_so_far=state.opened_so_far + 1,
    )


@FLOW_RULES.evolves
def apply_flow_conversation_dropped(
    event: flow_events.FlowConversationDropped, state: FlowState
) -> FlowState:
    left = tuple(c for c in state.conversations if c.session_id != event.session_id)
    return _with(state, conversations=left, retiring=(*state.retiring, event.session_id))


@FLOW_RULES.evolves
def apply_flow_conversation_closed(
    event: flow_events.FlowConversationClosed, state: FlowState
) -> FlowState:
    return _with(state, retiring=tuple(s for s in state.retiring if s != event.session_id))


@FLOW_RULES.evolves
def apply_flow_step_started(event: flow_events.FlowStepStarted, state: FlowState) -> FlowState:
    step = StepUnderWay(visit=event.visit, due_at=event.due_at)
    spot = Spot(position=event.position, loops=event.loops)
    subflow_runs = state.subflow_runs if state.subflow_runs.spot == spot else SubflowRuns(spot=spot)
    return _with(state, **dict(spot), visits=event.visit, step=step, subflow_runs=subflow_runs)


@FLOW_RULES.evolves
def apply_flow_turn_ended(event: flow_events.FlowTurnEnded, state: FlowState) -> FlowState:
    return _at_message(state, event.message + 1)


@FLOW_RULES.evolves(flow_events.FlowQuestionRepeated)
def apply_flow_question_repeated(state: FlowState) -> FlowState:
    return _at_message(state, 1)


def _at_message(state: FlowState, message: int) -> FlowState:
    step = state.step.model_copy(update={"message": message}) if state.step else None
    return _with(state, step=step)


@FLOW_RULES.evolves
def apply_flow_step_ended(event: flow_events.FlowStepEnded, state: FlowState) -> FlowState:
    step = state.doing
    changed: dict[str, object] = {"step": None, "request": None}
    if event.output_key:
        output = StepOutput(text=event.output, text_ref=event.output_ref)
        changed["outputs"] = state.outputs_after(event.output_key, output)
    if step is not None and (event.outcome not in _HELD or _is_passed(event.outcome, step)):
        answer = {"yes": True, "no": False}.get(event.answer)
        spot = after_step(state.definition.steps, state.spot, answer)
        changed |= {"position": spot.position, "loops": spot.loops, "subflow_runs": SubflowRuns()}
    return _with(state, **changed)


def _is_passed(outcome: flow_events.StepOutcome, step: FlowStep) -> bool:
    """Tell whether a run goes on behind a step that ended so, for its file says it may."""
    if outcome is flow_events.StepOutcome.NO_ANSWER:
        return step.is_no_answer_passed
    return outcome is flow_events.StepOutcome.FAILED and step.is_failure_passed


@FLOW_RULES.evolves
def apply_flow_asked(event: flow_events.FlowAsked, state: FlowState) -> FlowState:
    return _with(state, request=event.request)


@FLOW_RULES.evolves
def apply_flow_answered(event: flow_events.FlowAnswered, state: FlowState) -> FlowState:
    answered = (*state.answered, event.request_id)[-MAX_ANSWERED:]
    return _with(state, request=None, answered=answered)


@FLOW_RULES.evolves
def apply_flow_stop_requested(event: flow_events.FlowStopRequested, state: FlowState) -> FlowState:
    reason = stop_words(event.by)
    return _with(state, status=FlowStatus.STOPPING, reason=reason, is_called_back=False)


@FLOW_RULES.evolves
def apply_flow_stopped(event: flow_events.FlowStopped, state: FlowState) -> FlowState:
    spot = resting_place(state.definition.steps, state.spot)
    changed = {"position": spot.position, "loops": spot.loops, "step": None, "request": None}
    return _with(state, status=FlowStatus.STOPPED, reason=event.reason, **changed)


@FLOW_RULES.evolves
def apply_flow_failed(event: flow_events.FlowFailed, state: FlowState) -> FlowState:
    return _with(state, status=FlowStatus.FAILED, reason=event.reason, step=None)


@FLOW_RULES.evolves
def apply_flow_resumed(event: flow_events.FlowResumed, state: FlowState) -> FlowState:
    spot = Spot(position=event.position, loops=event.loops)
    return _with(
        state,
        status=FlowStatus.RUNNING,
        reason="",
        execution=event.execution,
        position=event.position,
        loops=event.loops,
        step=None,
        subflow_runs=state.subflow_runs if state.subflow_runs.spot == spot else SubflowRuns(),
        notified_call=0,
        is_called_back=False,
    )


@FLOW_RULES.evolves(flow_events.FlowCompleted)
def apply_flow_completed(state: FlowState) -> FlowState:
    end = len(state.definition.steps)
    return _with(state, status=FlowStatus.COMPLETED, reason="", position=end, loops=(), step=None)


# --- runs of other flows


@FLOW_RULES.evolves
def apply_flow_child_started(event: flow_events.FlowChildStarted, state: FlowState) -> FlowState:
    run = ChildRun(flow_name=event.flow_name, run_id=event.run_id)
    return _with(state, subflow_runs=state.subflow_runs.with_run(run))


@FLOW_RULES.evolves
def apply_flow_child_renumbered(
    event: flow_events.FlowChildRenumbered, state: FlowState
) -> FlowState:
    run = ChildRun(flow_name=event.flow_name, run_id=event.run_id)
    return _with(state, subflow_runs=state.subflow_runs.with_run(run, instead=event.old))


@FLOW_RULES.evolves
def apply_flow_child_ended(event: flow_events.FlowChildEnded, state: FlowState) -> FlowState:
    run = ChildRun(
        flow_name=event.flow_name, run_id=event.run_id, end=event.end, reason=event.reason
    )
    return _with(state, subflow_runs=state.subflow_runs.with_run(run))


@FLOW_RULES.evolves
def apply_flow_called(event: flow_events.FlowCalled, state: FlowState) -> FlowState:
    parent = state.parent and state.parent.model_copy(update={"call": event.call})
    is_back = state.status is FlowStatus.STOPPING
    return _with(state, parent=parent, notified_call=0, is_called_back=is_back)


@FLOW_RULES.evolves
def apply_flow_parent_notified(
    event: flow_events.FlowParentNotified, state: FlowState
) -> FlowState:
    return _with(state, notified_call=event.call)


# --- what runs share with threads


@FLOW_RULES.evolves
def apply_directory_change(event: directory_events.SharingEvent, state: FlowState) -> FlowState:
    return _with(state, directory=state.directory.after(event))


@FLOW_RULES.evolves
def apply_rule_change(
    event: question_events.RuleRemembered | question_events.RuleForgotten, state: FlowState
) -> FlowState:
    return _with(state, remembered=state.remembered.after(event))


@FLOW_RULES.evolves
def apply_thread_renamed(event: lifecycle_events.ThreadRenamed, state: FlowState) -> FlowState:
    return _with(state, title=event.topic)


@FLOW_RULES.evolves(lifecycle_events.ThreadArchived)
def apply_thread_archived(state: FlowState) -> FlowState:
    return _with(state, is_archived=True)


@FLOW_RULES.evolves(lifecycle_events.ThreadUnarchived)
def apply_thread_unarchived(state: FlowState) -> FlowState:
    return _with(state, is_archived=False)


@FLOW_RULES.evolves
def apply_deletion_requested(
    event: lifecycle_events.DeletionRequested, state: FlowState
) -> FlowState:
    return _with(state, is_deletion_requested=True, is_deletion_forced=event.is_forced)
