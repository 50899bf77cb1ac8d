"""What a sandbox lets work: tools, caches, servers of one's own, commits by Treadle; and its refusals."""

import sys

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner, note_identity
from adapters.processes.isolation import Isolation
from adapters.processes.sandbox import HostView, SandboxUnavailableError
from adapters.processes.spawner import Spawner
from adapters.verification.verifier import StepVerifier
from domain.agents.agents import SessionRole
from domain.agents.sandbox import SandboxRules
from domain.core.network import Network
from domain.flows.review_programs import prepare_base, record_review, validate_reviews
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import BRANCH, commit_of, spec_of
from tests.free_ports import free_ports

RULES = SandboxRules()
ASK = "import socket; s = socket.socket(); s.bind(('127.0.0.1', {port})); s.listen(); socket.create_connection(s.getsockname())"


@pytest.fixture
def home(tmp_path):
    """A home with a tool, a cache and a login in it."""
    home = tmp_path / "home"
    tool = home / ".nvm" / "bin" / "a-tool"
    for file in (tool, home / ".cache" / "pip" / "kept", home / ".nvmrc.secret"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\necho it works\n")
    tool.chmod(0o755)
    return home


@pytest.fixture
def host(data_dir, tmp_path, home) -> Spawner:
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    path = f"{home}/.nvm/bin:{BASE_ENVIRONMENT['PATH']}"
    return host_spawner(folders, {"PATH": path, "HOME": str(home)})


@pytest.fixture
def place(repository, data_dir) -> StepPlace:
    folder = data_dir / "worktrees" / "w"
    folder.mkdir(parents=True)
    return StepPlace(folder, spec_of(repository, "task-1"), {"web": free_ports(1)[0]})


async def run(host, place, script, role=None):
    sandbox = RULES.of(role, None, place.ports.values())
    command = Command(("sh", "-c", script), place.directory, is_merged=True, sandbox=sandbox)
    return (await host.run(command, limit_seconds=60)).output.text()


async def step(host, place, command, network=None):
    asked = VerificationStep(id="s", type=StepType.COMMAND, command=command, network=network)
    return (await StepVerifier(host, rules=RULES).run_step(asked, place, lambda: None))[0]


async def test_tools_of_the_home_run_and_nothing_else_of_it_is_there(host, place):
    assert await run(host, place, "a-tool; ls -A $HOME") == "it works\n.cache\n.nvm\n"


async def test_of_a_home_in_a_folder_that_is_shown_nothing_is_seen_but_who_the_user_is(
    data_dir, tmp_path, place
):
    home = tmp_path / "programs" / "home"
    home.mkdir(parents=True)
    (home / ".netrc").write_text("a login\n")
    folders = HostFolders(data_dir, tmp_path / "programs", tmp_path / "config")
    host = host_spawner(folders, {"PATH": BASE_ENVIRONMENT["PATH"], "HOME": str(home)})
    folders.git_identity.parent.mkdir(parents=True, exist_ok=True)
    folders.git_identity.write_text("[user]\n")

    assert await run(host, place, "ls -A ~; cat ~/.gitconfig") == ".gitconfig\n[user]\n"


async def test_a_program_runs_by_a_link_to_a_link_in_a_folder_that_is_shown(host, place, home):
    (home / "venvs").mkdir()
    (home / ".nvm").rename(home / "venvs" / "one")
    (home / "current").symlink_to("venvs/one")
    link = home / ".local" / "lib" / "project" / ".venv"
    link.parent.mkdir(parents=True)
    link.symlink_to(home / "current")
    program = link / "bin" / "a-tool"
    sandbox = RULES.of(None, None)
    command = Command((str(program),), place.directory, sandbox=sandbox, reads=(program.parent,))

    assert (await host.run(command, limit_seconds=60)).output.text() == "it works\n"


async def test_caches_are_written_and_thrown_away(host, place, home):
    said = await run(host, place, "cd ~/.cache/pip; cat kept; echo x > kept; echo y > new; cat new")

    assert said.endswith("y\n")
    assert [file.name for file in (home / ".cache" / "pip").iterdir()] == ["kept"]
    assert "works" in (home / ".cache" / "pip" / "kept").read_text()


async def test_a_planner_reads_its_workspace_and_cannot_write(host, place):
    (place.directory / "file").write_text("text\n")

    said = await run(host, place, "cat file; echo x > file", SessionRole.PLANNER)

    assert said.startswith("text\n")
    assert "Read-only file system" in said


async def test_a_server_on_a_leased_port_can_be_asked(host, place):
    port = place.ports["web"]

    result = await step(host, place, f'{sys.executable} -c "{ASK.format(port=port)}"')

    assert result.passed, result.output
    assert str(port) in result.sandbox


async def test_a_server_on_any_port_takes_a_loopback_of_its_own_and_a_failure_says_so(host, place):
    ask = f'{sys.executable} -c "{ASK.format(port=0)}"'

    alone = await step(host, place, ask, Network.OWN_LOOPBACK)
    shared = await step(host, place, ask)

    assert alone.passed, alone.output
    assert alone.sandbox == "workspace-write, network: own-loopback"
    assert not shared.passed
    assert "network: own-loopback" in shared.output


async def test_placeholders_of_masks_are_not_committed_and_planted_files_are_reported(
    host, repository, data_dir
):
    workspaces = GitWorkspaces(host, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    plant = "mkdir -p sub/.vscode; echo x > sub/.vscode/tasks.json; echo y > work; echo up; cat"
    sandbox = RULES.of(None, None)
    child = await host.start(Command(("sh", "-c", plant), path, sandbox=sandbox))
    await child.stdout.readline()

    snapshot = await workspaces.commit(spec, commit_of("t1"))
    await child.stop()

    assert snapshot.files == ("sub/.vscode/tasks.json", "work")
    assert snapshot.planted == ("sub/.vscode/tasks.json",)
    assert not (path / ".mcp.json").exists()


async def test_placeholders_of_masks_do_not_show_in_git_status(host, repository, data_dir):
    await note_identity(host, HostFolders(data_dir, data_dir, data_dir).git_identity)
    workspaces = GitWorkspaces(host, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    path = await workspaces.prepare(spec_of(repository, "task-1"))
    (path / ".mcp.json").write_text("{}\n")  # a file of the task's own is not a placeholder
    git = ("git", "-C", str(path), "-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("add", ".mcp.json"), ("commit", "--quiet", "-m", "one")):
        await host.run(Command((*git, *words), path))
    (path / ".mcp.json").write_text("{ }\n")
    place = StepPlace(path, spec_of(repository, "task-1"), {})
    other = "git init -q /tmp/other && cd /tmp/other && touch .envrc && git status --short"

    said = await run(host, place, f"touch new; git status --short && {other}")

    assert said == " M .mcp.json\n?? new\n?? .envrc\n"


async def test_where_there_is_no_sandbox_nothing_starts(data_dir, place):
    around = HostView(None, data_dir, BASE_ENVIRONMENT["PATH"])
    bare = Spawner(data_dir / "runs", BASE_ENVIRONMENT, Isolation("group"), host_view=around)

    with pytest.raises(SandboxUnavailableError, match="TREADLE_SANDBOX=off"):
        await run(bare, place, "touch started")
    result = await step(bare, place, "touch started")

    assert not result.passed
    assert "install bubblewrap" in result.output
    assert not (place.directory / "started").exists()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (SandboxRules(), "refused"),
        (SandboxRules(is_direct=True), "sent"),
        (SandboxRules(network=Network.NONE, is_direct=True), "refused"),
    ],
    ids=["by the proxy", "direct", "none"],
)
@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
async def test_udp_is_closed_unless_names_are_asked_for_by_it(host, place, rules, said, family):
    sandbox = rules.of(SessionRole.TASK, None)
    script = (
        "import socket\ntry: socket.socket(socket."
        + family
        + ", socket.SOCK_DGRAM); print('sent')\n"
        "except PermissionError: print('refused')\n"
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); socket.socket()"
    )
    command = Command((sys.executable, "-c", script), place.directory, sandbox=sandbox)

    assert (await host.run(command, limit_seconds=60)).output.text() == f"{said}\n"
    assert ("no UDP" in sandbox.summary) == (said == "refused")


async def test_the_review_steps_of_flows_work_in_a_worktree_and_leave_nothing_to_commit(
    host, repository, data_dir
):
    await note_identity(host, HostFolders(data_dir, data_dir, data_dir).git_identity)
    workspaces = GitWorkspaces(host, data_dir)
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    place = StepPlace(path, spec, {})

    prepared = await step(host, place, prepare_base("current-review-base", ("found",)))
    (path / "codeInfoTmp/reviews/found.md").write_text("No findings.\n")
    recorded = await step(host, place, record_review("found"))
    validated = await step(host, place, validate_reviews(("found",), has_fallback=False))
    snapshot = await workspaces.commit(spec, commit_of("t1"))

    assert prepared.passed, prepared.output
    assert '"comparison_base_ref": "refs/heads/main"' in prepared.output
    assert recorded.output == "No findings.\n"
    assert validated.output == "found: passed\npassed\n"
    assert snapshot.files == ()
