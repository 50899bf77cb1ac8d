"""A thread is opened with the template that was shown, or not at all."""

import hashlib

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.session_imports import SessionImports
from activities.threads import OpeningFiles, ThreadOpening
from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_templates import TrustedTemplates
from adapters.git.demo_repositories import GitDemoRepositories
from adapters.processes.fences import WorkspaceFences
from domain.agents.past_sessions import ImportedSession
from domain.core.errors import NotFoundError
from domain.core.four_eyes import FourEyes
from domain.core.ids import ThreadId, shared_workspace_id
from domain.core.workspaces import Claim
from domain.hosts.host import Host
from domain.people.roles import covers
from domain.threads.calls import OpenThreadCall
from domain.threads.lifecycle.calls import LAST
from tests.fakes import MemoryJournal, OneAgent
from tests.workflows.test_placing import PaperPlacements

ONE = FourEyes()
STEPS = "verification: {steps: [{type: command, command: make test}]}\n"


@pytest.fixture
def templates(data_dir, tmp_path):
    return TemplateFiles(tmp_path / "config", trusted=TrustedTemplates(data_dir))


@pytest.fixture
def put(repository):
    def write(extra, name="default"):
        file = repository / ".treadle/plan-templates" / name / "TEMPLATE.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\nname: Ours\n{extra}---\n")
        return file

    return write


@pytest.fixture
def in_the_way(git, repository):
    """Have a branch in the repository."""
    return lambda branch: git(repository, "branch", branch)


@pytest.fixture
def open_thread(workspaces, templates, repository, spawner, data_dir):
    """Open a thread as the worker does."""
    demos = GitDemoRepositories(spawner, data_dir)
    opening = ThreadOpening(workspaces, demos, OpeningFiles(templates, OneAgent()), "host")

    async def run(template=None):
        call = OpenThreadCall(
            thread_id=ThreadId("thread-x-1a2b3c"),
            repository=str(repository),
            agent="fake",
            template=template,
        )
        return await ActivityEnvironment().run(opening.open_thread, call)

    return run


async def test_an_untrusted_template_leaves_nothing_behind(open_thread, put, git, repository):
    put(STEPS)

    with pytest.raises(ApplicationError, match="runs: make test") as caught:
        await open_thread()

    assert (caught.value.type, caught.value.non_retryable) == ("template_not_trusted", True)
    assert git(repository, "branch", "--list").split() == ["*", "main"]
    assert (await open_thread("builtin:default")).template.source == "builtin"


async def test_a_thread_keeps_exactly_what_was_shown(open_thread, put, templates, repository):
    file = put(STEPS)
    shown = templates.view(None, str(repository)).found
    templates.trust("default", str(repository), shown.content_hash, "ann")

    kept = (await open_thread()).template

    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert kept.content_hash == shown.content_hash == digest
    assert (kept.source, kept.path) == ("repo", str(file))
    put(STEPS.replace("test", "evil"))
    with pytest.raises(ApplicationError, match="not trusted as it is now"):
        await open_thread()


@pytest.mark.parametrize(
    ("prefix", "existing", "type_name"),
    [
        ("main/", "other", "branch_conflict"),
        ("work/", "work/x-1a2b3c/deeper", "branch_conflict"),
        ("a..b", "other", "invalid_template"),
    ],
)
async def test_a_branch_that_cannot_be_is_refused_before_the_start(
    open_thread, put, in_the_way, prefix, existing, type_name
):
    in_the_way(existing)
    put(f"git: {{branchPrefix: '{prefix}'}}\n")
    with pytest.raises(ApplicationError) as caught:
        await open_thread()
    assert (caught.value.type, caught.value.non_retryable) == (type_name, True)


async def test_a_broken_template_beside_it_harms_no_thread(open_thread, put):
    put("gate: perhaps\n", "broken")
    put("git: {branchPrefix: ours/}\n")
    assert (await open_thread()).branch == "ours/x-1a2b3c"


@pytest.fixture
def opening_with(workspaces, templates, spawner, data_dir):
    """Return the opening of a worker that knows where threads are."""

    def make(placements):
        files = OpeningFiles(templates, OneAgent(), placements=placements)
        return ThreadOpening(workspaces, GitDemoRepositories(spawner, data_dir), files, "host")

    return make


async def test_a_host_without_a_label_of_the_template_refuses_and_makes_no_branch(
    opening_with, repository, put, git
):
    put("labels: [GPU, zone=a]\n")
    placements = PaperPlacements()
    opening = opening_with(placements)
    call = OpenThreadCall(thread_id="thread-x-1", repository=str(repository), agent="fake")

    async def opened(call):
        return await ActivityEnvironment().run(opening.open_thread, call)

    placements.hosts = [Host(host="host", name="alpha", labels=("gpu",))]
    with pytest.raises(ApplicationError, match="alpha lacks the label zone=a") as caught:
        await opened(call)
    assert (caught.value.type, caught.value.non_retryable) == ("no_host", True)
    assert "treadle/x-1" not in git(repository, "branch", "--list")

    placements.hosts = [Host(host="host", name="alpha", labels=("zone=a", "gpu"))]
    found = await opened(call)
    assert found.template.labels == ("gpu", "zone=a")
    assert placements.labels == {"thread-x-1": ("gpu", "zone=a")}
    # a fork goes where its commits are, whatever that host is called by now
    placements.hosts = [Host(host="host", name="alpha")]
    fork = call.model_copy(update={"thread_id": "thread-x-2", "inherited": found.template})
    assert (await opened(fork)).template == found.template


class Rules:
    """Two people at the gates of the repository of one URL."""

    async def four_eyes(self, project, asked):
        return FourEyes(gate_approvals=2) if covers("https://git.example/shop", project) else ONE


async def test_the_rule_of_a_url_holds_for_the_folder_that_it_is_on_this_host(
    workspaces, templates, repository, spawner, data_dir
):
    files = OpeningFiles(templates, OneAgent(), approvals=Rules())
    opening = ThreadOpening(workspaces, GitDemoRepositories(spawner, data_dir), files, "host")

    async def rule_of(name, *called):
        call = OpenThreadCall(
            thread_id=name, repository=str(repository), agent="fake", projects=called
        )
        return (await ActivityEnvironment().run(opening.open_thread, call)).four_eyes

    other, shop = (
        f"https://git.example/other@{'a' * 40}",
        f"https://git.example/shop.git@{'b' * 40}",
    )
    assert await rule_of("thread-1", other) == ONE
    assert await rule_of("thread-2", other, shop) == FourEyes(gate_approvals=2)


class NoSessions:
    """An agent that knows no session."""

    async def recalled(self, profile, turn, repository, session_id):
        raise NotFoundError(f"{profile.name} lists no session {session_id!r} in {repository}")


@pytest.fixture
def go_on(workspaces, templates, repository, spawner, data_dir):
    """Open the thread of a session that its agent does not know."""
    fences = WorkspaceFences(data_dir / "fences")
    files = OpeningFiles(
        templates, OneAgent(), imports=SessionImports(NoSessions(), MemoryJournal(), fences)
    )
    opening = ThreadOpening(workspaces, GitDemoRepositories(spawner, data_dir), files, "host")
    call = OpenThreadCall(
        thread_id=ThreadId("thread-session-1a2b3c"),
        repository=str(repository),
        agent="fake",
        imports=ImportedSession(agent_session="s-1"),
    )
    return fences, lambda: ActivityEnvironment().run(opening.open_thread, call)


async def test_a_session_that_is_not_there_leaves_nothing_behind(go_on, git, repository):
    _, opened = go_on
    with pytest.raises(ApplicationError, match="lists no session 's-1'"):
        await opened()
    assert git(repository, "branch", "--list").split() == ["*", "main"]


async def test_the_session_of_a_thread_that_was_deleted_is_refused(go_on):
    """Its workspace is given up for a week: each turn in it would be tried for ever."""
    fences, opened = go_on
    given_up = Claim(order=9, grant=LAST, is_release=True)
    async with fences.held(shared_workspace_id("thread-session-1a2b3c"), given_up):
        pass
    with pytest.raises(ApplicationError, match="deleted") as caught:
        await opened()
    assert (caught.value.type, caught.value.non_retryable) == ("wrong_state", True)
