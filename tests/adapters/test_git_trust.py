"""Trust in a repository's metadata: what changes it, what does not, and how it is given again."""

import pytest

from adapters.files.trusted_metadata import TrustedMetadata
from adapters.git.workspaces import GitWorkspaces
from domain.core.errors import NotFoundError, NotShownError, RepositoryError
from tests.adapters.task_specs import BRANCH, commit_of, spec_of


@pytest.mark.parametrize(
    "command",
    [
        "config user.name Bob",
        "config branch.main.remote origin",
        "remote add origin https://example.invalid/x.git",
        "config remote.origin.url git@example.invalid:x.git",
        "config core.autocrlf input",
        "config color.ui always",
        "checkout --quiet -b idea",
        "tag v1",
        "config lfs.https://example.invalid/x.locksverify false",
    ],
)
async def test_what_people_and_tools_change_every_day_is_no_matter(
    workspaces, repository, git, branch, command
):
    git(repository, *command.split())

    path = await workspaces.prepare(spec_of(repository, "task-1"))

    assert (path / "app.py").exists()


@pytest.mark.parametrize(
    "command",
    [
        "config alias.st !evil",
        "config include.path ../more",
        "config core.worktree /tmp",
        "config remote.origin.vcs evil",
        "config remote.origin.uploadpack evil",
        "config remote.origin.promisor true",
        "config branch.main.mergeoptions --strategy=evil",
        "config submodule.x.update !evil",
        "config lfs.customtransfer.x.path evil",
        "config http.proxy http://example.invalid",
    ],
)
async def test_what_git_acts_on_is_named_and_refused(workspaces, repository, git, branch, command):
    _, key, value = command.split()
    git(repository, "config", key, value)

    with pytest.raises(RepositoryError, match=f"config: {key}.*treadle trust {repository}"):
        await workspaces.prepare(spec_of(repository, "task-1"))


async def test_an_included_file_counts_as_configuration(workspaces, repository, git):
    (repository / "more").write_text("[user]\n\tname = Ann\n")
    git(repository, "config", "include.path", "../more")
    await workspaces.create_branch(str(repository), BRANCH, "main")
    await workspaces.prepare(spec_of(repository, "task-1"))
    (repository / "more").write_text("[diff]\n\texternal = evil\n")

    with pytest.raises(RepositoryError, match=r"more: diff\.external"):
        await workspaces.prepare(spec_of(repository, "task-2"))


async def test_a_filter_that_was_there_before_goes_on_working(workspaces, repository, git):
    git(repository, "config", "filter.upper.clean", "tr a-z A-Z")
    (repository / ".gitattributes").write_text("*.txt filter=upper\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=filter")
    await workspaces.create_branch(str(repository), BRANCH, "main")
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.txt").write_text("loud")

    snapshot = await workspaces.commit(spec, commit_of("turn-1"))

    assert git(repository, "show", f"{snapshot.commit}:a.txt") == "LOUD"


async def test_work_goes_on_where_it_was_once_a_person_trusts_again(
    workspaces, spawner, data_dir, repository, git, branch
):
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "a.py").write_text("a")
    git(repository, "config", "alias.st", "status")
    trusted = TrustedMetadata(data_dir)
    for port in (workspaces, GitWorkspaces(spawner, data_dir)):
        with pytest.raises(RepositoryError, match="treadle trust"):
            await port.commit(spec, commit_of("turn-1"))
    await workspaces.release(spec)
    shown = trusted.refused(repository)

    trusted.accept(repository, shown.content_hash)

    assert [(change.name, change.now) for change in shown.changes] == [
        (".git/config: alias.st", "status")
    ]
    assert (await workspaces.commit(spec, commit_of("turn-1"))).files == ("a.py",)


async def test_a_new_thread_does_not_trust_what_changed(workspaces, repository, git, branch):
    git(repository, "config", "alias.st", "!evil")

    with pytest.raises(RepositoryError, match="not what you trusted"):
        await workspaces.inspect(str(repository))


async def test_a_yes_is_to_what_was_shown(workspaces, data_dir, repository, git, branch):
    trusted = TrustedMetadata(data_dir)
    with pytest.raises(NotFoundError):
        trusted.refused(repository)
    for value in ("one", "two"):
        git(repository, "config", "http.extraheader", f"AUTHORIZATION: {value}")
        with pytest.raises(RepositoryError):
            await workspaces.inspect(str(repository))
        if value == "one":
            shown = trusted.refused(repository)

    with pytest.raises(NotShownError):
        trusted.accept(repository, shown.content_hash)

    assert "AUTHORIZATION" not in trusted.refused(repository).model_dump_json()
