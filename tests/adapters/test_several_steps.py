"""Steps and processes of a workspace with several repositories: what they see of those beside, and may write."""

import pytest

from activities.clean_steps import CleanSteps
from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.verifier import StepVerifier
from domain.agents.sandbox import Level, Sandbox, SandboxRules
from domain.verification.checkouts import Recipe
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT


@pytest.fixture
def host(data_dir, tmp_path):
    return host_spawner(
        HostFolders(data_dir, data_dir / "programs", tmp_path / "config"), BASE_ENVIRONMENT
    )


@pytest.fixture
async def work(lab):
    """A task that changed both repositories, with something left beside the commit."""
    spec, commit = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    folder = await lab.port.prepare(spec)
    (folder.parent / "api" / "left").write_text("not committed\n")
    return spec, commit, folder


async def ran(lab, host, work, command, rules):
    spec, commit, folder = work
    verifier = StepVerifier(host, rules=rules)
    verifier.environments = lab.port.environments
    step = VerificationStep(id="s", type=StepType.COMMAND, label="s", command=command)
    steps = CleanSteps(lab.port, verifier)
    result, output = await steps.run(step, StepPlace(folder, spec), commit, Recipe())
    return result.passed, output.strip() or result.output


@pytest.mark.parametrize(
    "rules", [SandboxRules(), SandboxRules(level=Level.OFF)], ids=["in", "off"]
)
async def test_a_step_finds_the_other_repository_beside_it(lab, host, work, rules):
    command = (
        'cat ../api/note && ls ../api && test "$TREADLE_REPOSITORY_API" -ef ../api && '
        "git -C ../api log -1 --format=%s"
    )

    passed, output = await ran(lab, host, work, command, rules)

    assert passed, output
    assert output.splitlines()[0] == "1"
    assert "left" not in output
    assert output.splitlines()[-1] == "Add a greeting"


async def test_a_step_that_changes_the_other_repository_has_not_passed(lab, host, work):
    passed, output = await ran(lab, host, work, "echo 2 > ../api/note", SandboxRules())

    assert not passed
    assert "../api/note" in output


async def process(lab, host, work, level, script):
    """Run a process as those of agents are run."""
    spec, _, folder = work
    around = await lab.port.environments.of(spec, "agent")
    command = Command(
        ("sh", "-c", script),
        folder,
        around.variables,
        sandbox=Sandbox(level=level),
        beside=around.workspaces,
        is_merged=True,
    )
    done = await host.run(command)
    return done.returncode, done.output.text().strip()


async def test_an_agent_writes_in_all_repositories_and_in_no_git_folder(lab, host, work):
    script = (
        "echo 3 > ../api/mine && echo $TREADLE_REPOSITORY_API && git -C ../api status --short && "
        "! echo x > ../api/.git && ! echo x > {git}/config"
    ).format(git=lab.api / ".git")

    code, output = await process(lab, host, work, Level.WORKSPACE_WRITE, script)

    folder = work[2].parent / "api"
    assert code == 0, output
    assert (folder / "mine").read_text() == "3\n"
    assert str(folder) in output
    assert "?? mine" in output


async def test_a_reader_writes_in_none(lab, host, work):
    code, output = await process(
        lab, host, work, Level.READ_ONLY, "cat ../api/note; echo 3 > ../api/x"
    )

    assert code != 0
    assert output.splitlines()[0] == "1"
    assert not (work[2].parent / "api" / "x").exists()


async def test_a_process_of_one_workspace_sees_no_other(lab, host, work):
    other, _ = await lab.worked("task-2", api_secret="x\n")
    there = (await lab.port.prepare(other)).parent / "api" / "secret"

    code, _ = await process(lab, host, work, Level.WORKSPACE_WRITE, f"cat {there}")

    assert code != 0
