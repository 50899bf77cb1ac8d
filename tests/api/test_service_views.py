"""What people are shown of a service whose process is gone."""

import pytest

from adapters.terminals.recorder import TerminalRecorder
from api.tasks.service_views import runs_below
from domain.agents.terminals import Terminal, TerminalStatus
from domain.core.ids import StreamId, service_stream
from domain.recipes.recipe import User
from domain.recipes.services import ServiceRun, ServiceState
from tests.fakes import MemoryJournal

OWNER = StreamId("thread-a/page")
UP = Terminal(
    id="service-1",
    label="web",
    command="serve",
    service=ServiceRun(user=User.PERSON, state=ServiceState.HEALTHY),
)


@pytest.mark.parametrize(
    ("end", "state"),
    [
        ({"exit_code": 0}, ServiceState.EXITED),
        ({"exit_code": 3}, ServiceState.FAILED),
        ({"signal": 9}, ServiceState.FAILED),
        ({"signal": 15, "note": "stopped by a person"}, ServiceState.EXITED),
    ],
)
async def test_a_service_that_ended_by_itself_and_not_well_has_failed(
    end: dict[str, object], state: ServiceState
):
    journal = MemoryJournal()
    stream = service_stream(OWNER, 1)
    recorder = TerminalRecorder(journal, stream)
    await recorder.open(UP)
    await recorder.end(UP.model_copy(update={"status": TerminalStatus.EXITED, **end}))

    [(name, run)] = await runs_below(journal, OWNER)

    assert (name, run.state) == ("web", state)
