"""Hosts of a plan template: reached unasked by a step and by a terminal, at addresses of the internet only."""

import sys

import pytest

from adapters.egress.dialing import Dialing
from adapters.egress.proxy import EgressProxy
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.redaction import Redactor
from adapters.terminals.launcher import TerminalLauncher
from adapters.terminals.terminals import HostTerminals
from adapters.verification.verifier import StepVerifier
from domain.agents.hosting import TerminalRequest
from domain.agents.sandbox import SandboxRules
from domain.core.ids import StreamId
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests import fakes
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import spec_of
from tests.adapters.terminal_lab import TASK, TURN
from tests.adapters.test_egress import FETCH, PUBLIC, Net
from tests.adapters.tool_lab import Door

PLACES = ("a.example:443", "b.example:443", "c.example:443")


@pytest.fixture
async def spawner(data_dir, tmp_path):
    net = Net()
    net.addresses = {
        "a.example": [str(PUBLIC)],
        "b.example": ["10.0.0.7"],
        "c.example": [str(PUBLIC)],
    }
    (tmp_path / "home").mkdir()
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    environment = {"PATH": BASE_ENVIRONMENT["PATH"], "HOME": str(tmp_path / "home")}
    spawner = host_spawner(folders, environment)
    async with EgressProxy(Dialing(resolve=net.resolve, connect=net.connect)) as proxy:
        spawner.confinement.proxy = proxy
        yield spawner
    for one in net.kept:
        one.close()


@pytest.fixture
def worktree(data_dir):
    folder = data_dir / "worktrees" / "w"
    folder.mkdir(parents=True)
    (folder / "fetch.py").write_text(FETCH)
    return folder


@pytest.fixture
def spec(repository):
    hosts = ("a.example", "b.example")
    return spec_of(repository, "task-1").model_copy(update={"hosts": hosts})


def assert_only_outside(output):
    listed, inside, other = output.splitlines()
    assert listed == f"at {PUBLIC}"
    assert "private network" in inside
    assert other.startswith("HTTP/1.1 403 Forbidden - c.example:443 is not reached")


async def test_a_step_reaches_them(spawner, worktree, spec):
    fetch = " ".join((sys.executable, "fetch.py", *PLACES))
    step = VerificationStep(id="s", type=StepType.COMMAND, command=fetch)
    verifier = StepVerifier(spawner, rules=SandboxRules())

    result, output = await verifier.run_step(step, StepPlace(worktree, spec), lambda: None)

    assert_only_outside(output)
    assert result.sandbox.endswith("; refused: b.example, c.example")


async def test_a_terminal_reaches_them(spawner, worktree, spec, tmp_path):
    starting = TerminalLauncher(spawner, SandboxRules(), Redactor({}))
    terminals = HostTerminals.on(tmp_path / "terminals", fakes.MemoryJournal(), Door(), starting)
    request = TerminalRequest(
        owner=TASK,
        turn=TURN.model_copy(update={"workspace": spec}),
        label="fetch",
        command="fetch",
        argv=(sys.executable, "fetch.py", *PLACES),
        cwd=worktree,
        workspace=worktree,
    )

    opened = await terminals.create(request)
    stream = StreamId(f"{TASK}/{opened.id}")
    await terminals.wait(stream, 60)

    assert_only_outside(terminals.output(stream).text)
