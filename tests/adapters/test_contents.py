"""Files at commits of a thread, on real git."""

import base64

import pytest

from adapters.git.branches import GitBranches
from domain.core.beside import OpenedBeside
from domain.core.contents import ContentKind, ContentQuery
from domain.core.errors import RepositoryError
from domain.core.ids import ThreadId
from tests.adapters.task_specs import BRANCH, THREAD, commit_of, spec_of

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def branches(spawner, data_dir):
    return GitBranches(spawner, data_dir)


@pytest.fixture
async def commit(workspaces, repository, branch):
    """A commit of a task of the thread, which is on a checkpoint alone."""
    await workspaces.inspect(str(repository))
    spec = spec_of(repository, "task-1")
    folder = await workspaces.prepare(spec)
    (folder / "shop").mkdir()
    (folder / "shop" / "new.py").write_text("x = 1\n")
    (folder / "plain\nname: [a].txt").write_text("odd\n")
    (folder / "logo.png").write_bytes(PNG)
    (folder / "blob.bin").write_bytes(b"\0\1\2")
    (folder / "latin.txt").write_bytes(b"\xe4")
    (folder / "control.txt").write_bytes(b"\1" * (1 << 20))
    (folder / "long.txt").write_bytes(b"a" * ((1 << 20) + 1))
    (folder / "link").symlink_to("/etc/passwd")
    return (await workspaces.commit(spec, commit_of("turn-1"))).commit


def query_of(repository, commit, path, **more):
    given = {"thread_id": THREAD, "branch": BRANCH, **more}
    return ContentQuery(
        query_id=f"{THREAD}/content-1",
        host="h",
        repository=str(repository),
        commit=commit,
        path=path,
        **given,
    )


@pytest.mark.parametrize(
    ("path", "kind", "text"),
    [
        ("shop/new.py", ContentKind.TEXT, "x = 1\n"),
        ("plain\nname: [a].txt", ContentKind.TEXT, "odd\n"),
        ("link", ContentKind.TEXT, "/etc/passwd"),  # where it leads, not what is there
        ("blob.bin", ContentKind.BINARY, ""),
        ("latin.txt", ContentKind.BINARY, ""),
        ("control.txt", ContentKind.TOO_LARGE, ""),
        ("long.txt", ContentKind.TOO_LARGE, ""),
        ("shop", ContentKind.MISSING, ""),
        ("shop/none.py", ContentKind.MISSING, ""),
        ("/etc/passwd", ContentKind.MISSING, ""),
        ("shop/../../../etc/passwd", ContentKind.MISSING, ""),
        ("../other/a.py", ContentKind.MISSING, ""),
        ("-rf", ContentKind.MISSING, ""),
    ],
)
async def test_a_file_is_what_it_is_in_the_commit(branches, repository, commit, path, kind, text):
    found = await branches.content(query_of(repository, commit, path))

    assert (found.kind, found.text, found.failure) == (kind, text, "")


async def test_a_picture_is_read_in_pieces(branches, repository, commit):
    whole = await branches.content(query_of(repository, commit, "logo.png"))
    rest = await branches.content(query_of(repository, commit, "logo.png", offset=10))

    assert (whole.kind, whole.mime_type, whole.size_bytes) == (
        ContentKind.PICTURE,
        "image/png",
        len(PNG),
    )
    assert base64.b64decode(whole.base64) == PNG
    assert base64.b64decode(rest.base64) == PNG[10:]


async def test_commits_of_others_are_not_read(branches, repository, git, commit):
    git(repository, "switch", "--quiet", "--create", "secret")
    (repository / "secret.py").write_text("key")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=secret")
    foreign = git(repository, "rev-parse", "HEAD")

    for query in (
        query_of(repository, foreign, "secret.py"),
        query_of(repository, "f" * 40, "secret.py"),
        query_of(repository, commit, "shop/new.py", thread_id=ThreadId("thread-greet-2")),
    ):
        with pytest.raises(RepositoryError, match="has no commit"):
            await branches.content(query)


async def test_where_a_branch_began_is_of_the_thread(branches, repository, git, commit):
    began = git(repository, "rev-parse", "main")

    found = await branches.content(query_of(repository, began, "shop/new.py"))

    assert found.kind is ContentKind.MISSING


async def test_a_repository_beside_is_read_at_the_commit_that_belongs_to_it(
    branches, workspaces, repository, git, commit, tmp_path
):
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet", "--initial-branch=main")
    (other / "a.py").write_text("beside\n")
    git(other, "add", ".")
    git(other, "commit", "--quiet", "--message=first")
    await workspaces.inspect(str(other))
    beside = OpenedBeside(
        name="other",
        repository=str(other),
        begins_at=git(other, "rev-parse", "HEAD"),
        since=git(repository, "rev-parse", "main"),
    )

    found = await branches.content(query_of(repository, commit, "../other/a.py", beside=(beside,)))

    assert found.text == "beside\n"
