"""How a run is told of in a few words."""

from domain.conversations.place import FlowPlace
from domain.flows.state import FlowState, FlowStatus


def waiting_for(state: FlowState) -> str:
    """Return what a person is asked, or must do for the run to go on; empty where nothing."""
    if state.request is not None:
        return f"answer: {state.request.question}"
    if state.status is FlowStatus.FAILED:
        return f"a resume: {state.reason}"
    return ""


def place_words(place: FlowPlace) -> str:
    """Return a place as `step 3 'Review', loop 1, round 2, coder/main`; steps count from 0."""
    words = [f"step {place.step_index}"]
    if place.label:
        words[0] += f" {place.label!r}"
    if place.loop_depth:
        words.append(f"loop {place.loop_depth}, round {place.iteration + 1}")
    if place.agent_type:
        words.append(f"{place.agent_type}/{place.identifier}")
    return ", ".join(words)


def details_of(state: FlowState) -> str:
    """Return what the Web UI shows of a run, as Markdown."""
    lines = [f"**{state.title}**: {state.shown_status}"]
    if state.place is not None and state.status is not FlowStatus.COMPLETED:
        lines.append(place_words(state.place))
    if state.reason:
        lines.append(state.reason)
    if state.request is not None:
        lines.append(
            f"**Needs you**: {waiting_for(state)}\n\n    treadle flow answer {state.run_id} ANSWER\n\n"
            f"`treadle flow status {state.run_id}` shows it, and the line for the Temporal CLI."
        )
    return "\n\n".join(lines)
