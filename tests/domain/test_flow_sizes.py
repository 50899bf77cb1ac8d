"""What a run carries from history to history is bounded, whatever its flow and its agents say (I19)."""

from domain.core.wire import size_bytes
from domain.flows.definition import FlowDefinition, Slot, StepKind
from domain.flows.events import ChosenAgent, FlowConversationOpened, FlowStepEnded, StepOutcome
from domain.flows.inputs import FlowInput
from domain.flows.rules import evolve
from domain.flows.starting import MAX_DEFINITION_BYTES, MAX_SLOTS
from tests.domain.flow_world import FlowRun, FlowText

MAX_CARRIED_BYTES = 256 << 10


def largest() -> FlowDefinition:
    """A flow as large as one may be."""
    text = FlowText()
    while size_bytes(text.flow().compact()) < MAX_DEFINITION_BYTES - 1_000:
        for _ in range(10):
            text.add(StepKind.COMMAND, command="true", output_key=f"key-{text.total}")
    return text.flow()


def test_the_largest_flow_is_carried_in_one_payload():
    run = FlowRun(largest())
    state, place = run.state, run.state.place
    for n in range(1_000):
        state = evolve(
            state,
            FlowStepEnded(
                visit=n,
                place=place,
                outcome=StepOutcome.DONE,
                output_key=f"k{n}",
                output="x" * 4096,
            ),
        )
    for n in range(MAX_SLOTS):
        slot = Slot(agent_type=f"type-{n}", identifier="main")
        session = f"flow-paper-1/session-{n}"
        opened = FlowConversationOpened(slot=slot, session_id=session, agent="fake")
        state = evolve(state, opened)
    carried = state.model_copy(update={"definition": FlowDefinition(name="")})
    agents = {f"type-{n}": ChosenAgent(agent="fake") for n in range(MAX_SLOTS)}
    flow = FlowInput(
        run_id="flow-paper-1",
        definition=run.state.definition,
        repository="/repo",
        agents=agents,
        carried=carried,
    )
    assert size_bytes(flow) < MAX_CARRIED_BYTES
    assert FlowInput.model_validate_json(flow.model_dump_json()).state == state
