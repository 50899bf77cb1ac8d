"""The base of a thread on a repository that is named by a URL: its checkout is on this host only."""

import pytest

from adapters.git.workspaces import GitWorkspaces
from domain.core.remote_repositories import SCHEMES, read_remote
from tests.adapters.bases.conftest import work
from tests.adapters.remote_lab import GitServer, mirrors_in
from tests.adapters.task_specs import BRANCH


@pytest.fixture(params=["file", "http"])
def url(request, remote):
    if request.param == "file":
        yield f"file://{remote}"
        return
    server = GitServer(remote.parent)
    yield f"{server.url}/{remote.name}"
    server.close()


@pytest.fixture
async def by_url(call, url, spawner, data_dir):
    """A call for a thread on the checkout of a URL."""
    mirrors = mirrors_in(data_dir)
    place = await mirrors.checkout(await mirrors.resolve(read_remote(url, SCHEMES)))
    workspaces = GitWorkspaces(spawner, data_dir)
    await workspaces.create_branch(str(place), BRANCH, "main")
    known = (await workspaces.inspect(str(place))).remotes
    return call.model_copy(update={"repository": str(place), "known": known})


async def test_its_base_is_taken_in_and_no_file_of_the_checkout_is_touched(
    bases, by_url, workspaces, git, push
):
    place = by_url.repository
    await work(workspaces, place, "ours.py", "1\n")
    newest = push("one.py")
    before = (git(place, "status", "--porcelain"), git(place, "rev-parse", "HEAD"))

    look = await bases.look(by_url)
    done = await bases.update(by_url, look)

    assert (look.behind, look.commit, look.note) == (1, newest, "")
    assert git(place, "rev-parse", BRANCH) == done.commit
    for name in ("ours.py", "one.py"):
        git(place, "cat-file", "-e", f"{BRANCH}:{name}")
    assert (git(place, "status", "--porcelain"), git(place, "rev-parse", "HEAD")) == before


async def test_a_new_branch_of_it_begins_at_the_newest_base(bases, by_url, git, push):
    newest = push("one.py")

    assert (await bases.begin(by_url)).tip == newest
    assert git(by_url.repository, "rev-parse", BRANCH) == newest
