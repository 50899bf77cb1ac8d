"""Mirrors of repositories by URL: real git over files and over http, two data folders as two hosts."""

import asyncio
import socket
from contextlib import suppress

import pytest

from adapters.git.commands import Git
from adapters.git.remote.found import Found
from adapters.git.repositories import Repositories
from domain.core.errors import RepositoryError, WorkspaceError
from domain.core.remote_errors import (
    RepositoryAccessError,
    RepositoryUnreachableError,
    UnknownRefError,
)
from domain.core.remote_repositories import SCHEMES, read_remote
from tests.adapters.remote_lab import GitServer, bare_of, kill_gits, mirrors_in, url_of


@pytest.fixture
def origin(tmp_path, repository, git):
    """A bare repository with the branches main and next, and a tag."""
    git(repository, "tag", "--annotate", "--message=one", "v1")
    git(repository, "switch", "--quiet", "--create", "next")
    (repository / "next.py").write_text("x\n")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=second")
    git(repository, "switch", "--quiet", "main")
    return bare_of(repository, tmp_path, git)


@pytest.fixture(params=["file", "http"])
def url(request, origin):
    with url_of(origin, request.param) as url:
        yield url


def remote_of(text):
    return read_remote(text, SCHEMES)


async def test_a_branch_a_tag_a_commit_and_the_head_are_resolved_to_commits(
    url, origin, git, tmp_path
):
    mirrors = mirrors_in(tmp_path / "a")
    main, after = git(origin, "rev-parse", "main"), git(origin, "rev-parse", "next")

    expected = {
        "": (main, "main"),
        "@next": (after, "next"),
        "@v1": (main, ""),
        f"@{after}": (after, ""),
    }
    for ref, (commit, branch) in expected.items():
        found = await mirrors.resolve(remote_of(f"{url}{ref}"))
        assert (found.remote.ref, found.branch) == (commit, branch)
        assert found.remote.is_pinned
    short = await mirrors.resolve(remote_of(f"{url}@{after[:9]}"))
    assert short.remote.ref == after


async def test_two_hosts_make_the_same_checkout_each_in_its_own_folder(url, origin, git, tmp_path):
    first, second = mirrors_in(tmp_path / "a"), mirrors_in(tmp_path / "b")
    found = await first.resolve(remote_of(f"{url}@next"))

    places = [await first.checkout(found), await second.checkout(Found(found.remote))]

    assert [p.is_relative_to(tmp_path / host) for p, host in zip(places, "ab", strict=True)] == [
        True
    ] * 2
    for place in places:
        assert (place / "next.py").read_text() == "x\n"
        assert git(place, "rev-parse", "HEAD") == found.remote.ref
        assert git(place, "remote", "get-url", "origin") == url
        assert git(place, "status", "--porcelain") == ""
    assert git(places[0], "rev-parse", "next") == found.remote.ref


async def test_a_checkout_that_is_there_needs_no_origin(url, origin, tmp_path):
    mirrors = mirrors_in(tmp_path / "a")
    found = await mirrors.resolve(remote_of(url))
    place = await mirrors.checkout(found)
    origin.rename(origin.with_name("gone.git"))

    assert await mirrors.checkout(found) == place
    with pytest.raises(RepositoryAccessError, match="there is no repository at"):
        await mirrors.resolve(remote_of(url))


async def test_its_metadata_is_trusted_as_it_was_made(url, tmp_path):
    mirrors = mirrors_in(tmp_path / "a")
    place = await mirrors.checkout(await mirrors.resolve(remote_of(url)))
    repositories = Repositories(Git(mirrors._git.spawner), tmp_path / "a")

    facts = await repositories.inspect(str(place))
    assert (facts.remotes, facts.uncommitted) == ({"origin": url}, 0)
    with (place / ".git" / "config").open("a") as config:
        config.write("[core]\n\tsshCommand = evil\n")
    with pytest.raises(RepositoryError, match="is not what you trusted"):
        await repositories.inspect(str(place))


async def test_what_an_origin_gets_later_is_fetched(url, origin, repository, git, tmp_path):
    mirrors = mirrors_in(tmp_path / "a")
    await mirrors.checkout(await mirrors.resolve(remote_of(url)))
    (repository / "app.py").write_text("print(2)\n")
    git(repository, "commit", "--quiet", "--all", "--message=later")
    git(repository, "push", "--quiet", str(origin), "main")

    place = await mirrors.checkout(await mirrors.resolve(remote_of(url)))

    assert (place / "app.py").read_text() == "print(2)\n"


async def test_a_commit_on_no_branch_is_fetched_by_its_id(url, origin, repository, git, tmp_path):
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    commit = git(repository, "commit-tree", "-m", "loose", "main^{tree}")
    git(repository, "push", "--quiet", str(origin), f"{commit}:refs/hidden/one")

    found = await mirrors_in(tmp_path / "a").resolve(remote_of(f"{url}@{commit}"))

    assert found.remote.ref == commit


async def test_an_unknown_ref_is_refused(url, tmp_path):
    mirrors = mirrors_in(tmp_path / "a")
    for ref in ("nowhere", "f" * 40, "abcdef1"):
        with pytest.raises(UnknownRefError, match=f"has no branch, tag or commit '{ref}'"):
            await mirrors.resolve(remote_of(f"{url}@{ref}"))


async def test_an_empty_repository_is_refused(tmp_path, git):
    bare = tmp_path / "empty.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare")

    with pytest.raises(UnknownRefError, match="has no commit yet"):
        await mirrors_in(tmp_path / "a").resolve(remote_of(f"file://{bare}"))


async def test_a_server_that_asks_for_a_password_is_refused_without_a_prompt(origin, tmp_path):
    server = GitServer(origin.parent)
    server.asks = True
    try:
        with pytest.raises(RepositoryAccessError, match="refuses this host"):
            await mirrors_in(tmp_path / "a").resolve(remote_of(f"{server.url}/project.git"))
    finally:
        server.close()


async def test_a_host_that_does_not_answer_is_told(tmp_path):
    with pytest.raises(RepositoryUnreachableError, match="cannot be reached"):
        await mirrors_in(tmp_path / "a").resolve(remote_of("http://127.0.0.1:1/a/project.git"))


async def test_a_host_that_is_silent_is_given_up(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and no more
        port = silent.getsockname()[1]
        with pytest.raises(RepositoryUnreachableError, match="did not answer within 1 s"):
            await mirrors_in(tmp_path / "a", limit_seconds=1).resolve(
                remote_of(f"http://127.0.0.1:{port}/project.git")
            )


async def test_many_at_once_fetch_one_after_the_other(origin, tmp_path):
    server = GitServer(origin.parent)
    every = [mirrors_in(tmp_path / "a") for _ in range(6)]
    try:
        found = await asyncio.gather(
            *(m.resolve(remote_of(f"{server.url}/project.git")) for m in every)
        )
        places = await asyncio.gather(*(m.checkout(found[0]) for m in every))
    finally:
        server.close()

    assert len({f.remote.ref for f in found}) == len(set(places)) == 1
    # the first fetched all; the others asked where the branch is, and no more
    assert sum("POST" in request for request in server.requests) <= 1 + 2 * len(every)
    assert (places[0] / "app.py").exists()


async def test_git_killed_at_any_moment_leaves_nothing_in_the_way(
    url, origin, git, tmp_path, repository
):
    for number in range(40):
        (repository / f"file-{number}").write_text("x\n" * 500)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=many")
    git(repository, "push", "--quiet", str(origin), "main")
    mirrors = mirrors_in(tmp_path / "a")

    async def bring():
        return await mirrors.checkout(await mirrors.resolve(remote_of(url)))

    for number in range(12):
        task = asyncio.ensure_future(bring())
        await asyncio.wait({task}, timeout=number * 0.012)
        kill_gits()
        with suppress(WorkspaceError, RepositoryError):
            await task
    place = await bring()

    assert git(place, "status", "--porcelain") == ""
    assert git(place, "fsck", "--connectivity-only", "--no-dangling") == ""
    assert not [*place.parent.parent.parent.rglob("tmp_*"), *(tmp_path / "a").rglob("*.lock.lock")]


async def test_what_a_killed_fetch_had_begun_to_write_goes_with_the_next(
    url, origin, repository, git, tmp_path
):
    mirrors = mirrors_in(tmp_path / "a")
    found = await mirrors.resolve(remote_of(url))
    objects = mirrors._mirror(found.remote) / "objects"
    (objects / "ab").mkdir(exist_ok=True)
    for left in ("ab/tmp_obj_1a2b3c", "pack/tmp_pack_1a2b3c"):
        (objects / left).write_bytes(b"half")
    git(repository, "commit", "--quiet", "--allow-empty", "--message=later")
    git(repository, "push", "--quiet", str(origin), "main")

    assert await mirrors.resolve(remote_of(url)) != found

    assert not [*objects.rglob("tmp_*")]


async def test_a_checkout_goes_when_nothing_uses_it_and_then_the_mirror(url, git, tmp_path):
    mirrors = mirrors_in(tmp_path / "a")
    found = await mirrors.resolve(remote_of(f"{url}@next"))
    place = await mirrors.checkout(found)
    git(place, "update-ref", "refs/treadle/thread-1/1", "HEAD")

    assert await mirrors.prune(unused_seconds=-1) == ()
    assert not await mirrors.release(found.remote)
    git(place, "update-ref", "-d", "refs/treadle/thread-1/1")
    assert await mirrors.prune() == ()
    assert await mirrors.release(found.remote)
    assert not place.exists()
    gone = await mirrors.prune(unused_seconds=-1)

    assert [name.rpartition("/")[2] for name in gone] == [found.remote.key]
    assert not (tmp_path / "a" / "repositories" / found.remote.key).exists()
