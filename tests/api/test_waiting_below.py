"""A run of a flow whose parts wait for a person says so itself."""

from adapters.journal import open_journal
from adapters.readings.projections import FlowProjections
from cli.flows.run_drawing import what_next
from domain.core.event import Event
from domain.flows.definition import StepKind
from tests.domain.flow_world import NOW, FlowRun, FlowText


async def test_a_run_waits_when_a_run_that_it_began_asks_a_person(tmp_path):
    asking = FlowText().add(StepKind.HUMAN, question="Which colour?").flow("asking")
    whole = FlowText().add(StepKind.SUBFLOW, flow_names=("asking",)).flow()
    run = FlowRun(whole.model_copy(update={"subflows": (asking,)}))
    child = run.state.awaited[0].run_id
    started, *more = FlowRun(asking).events
    begun = started.model_copy(update={"run_id": child})
    told = {"flow-paper-1": run.events, child: [begun, *more]}
    async with open_journal(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        for stream, bodies in told.items():
            events = [
                Event(id=f"{stream}{n}", stream=stream, at=NOW, body=b)
                for n, b in enumerate(bodies)
            ]
            await journal.append(events)
        view = await FlowProjections(journal).view("flow-paper-1")

    assert view.status == "waiting"
    assert view.waiting_for == f"{child}: answer: Which colour?"
    assert f"treadle flow status {child}" in what_next(view).plain
