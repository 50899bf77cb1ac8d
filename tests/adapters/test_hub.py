"""Copies of threads on a hub: real git over files and over http, two data folders as two hosts."""

import asyncio
import os
from contextlib import suppress
from datetime import timedelta

import pytest

from adapters.git.remote.found import Found
from adapters.git.remote.hub import FencedError, Hub
from adapters.git.remote.hub_copies import HubChoice, HubCopies
from adapters.git.remote.hub_records import HubRecords
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from domain.core.errors import TreadleError
from domain.core.remote_repositories import SCHEMES, read_remote
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.remote_lab import (
    bare_of,
    kill_gits,
    mirrors_in,
    network_of,
    url_of,
    wait_for_gits,
)
from tests.adapters.task_specs import THREAD, commit_of, spec_of

BRANCH = "treadle/greet-1"


def task_in(root):
    """Return the workspace of a task of the thread."""
    spec = spec_of(root, "task-1", branch=f"{BRANCH}--task-1")
    return spec.model_copy(update={"base": BRANCH})


class HubHost:
    """One host: its data folder, its workspaces, and its copies on the hub of each thread's origin."""

    def __init__(self, data_dir, warn_after=timedelta(minutes=10)):
        self.data_dir = data_dir
        self.mirrors = mirrors_in(data_dir)
        self.spawner = Spawner(data_dir / "runs", BASE_ENVIRONMENT)
        self.workspaces = GitWorkspaces(self.spawner, data_dir)
        self.hub = Hub(self.spawner, network_of(self.spawner), data_dir, data_dir.name)
        self.told = []
        choice = HubChoice(warn_after=warn_after)
        self.moves = 0
        self.copies = HubCopies(
            self.hub, self.mirrors, data_dir, choice, self.tell, moves_here=self.moves_here
        )
        self.records = HubRecords(data_dir)

    async def tell(self, _thread, message):
        self.told.append(message)

    async def moves_here(self, _thread):
        return self.moves

    async def bring(self, moves):
        """Take the thread over that has moved so often."""
        self.moves = moves
        await self.copies.bring(THREAD, str(self.found.remote))

    async def open(self, url):
        self.found = await self.mirrors.resolve(read_remote(url, SCHEMES))
        return await self.enter(self.found)

    async def enter(self, found):
        self.found = Found(found.remote)
        self.root = await self.mirrors.checkout(self.found)
        return self

    async def work(self, number, text):
        """Take a turn, and note it as the worker does; returns its commit."""
        spec = task_in(self.root)
        path = await self.workspaces.prepare(spec)
        (path / "new.py").write_text(text)
        snapshot = await self.workspaces.commit(spec, commit_of(f"turn-{number}"))
        self.note()
        return snapshot.commit

    def note(self, **more):
        self.copies.note(THREAD, str(self.found.remote), **more)

    @property
    def copy(self):
        return next(self.records.every())


@pytest.fixture
def origin(tmp_path, repository, git):
    return bare_of(repository, tmp_path, git)


@pytest.fixture(params=["file", "http"])
def url(request, origin):
    with url_of(origin, request.param) as url:
        yield url


@pytest.fixture
async def first(url, tmp_path):
    host = await HubHost(tmp_path / "a").open(url)
    await host.workspaces.create_branch(str(host.root), BRANCH, "HEAD")
    return host


def on_hub(git, origin):
    lines = git(
        origin, "for-each-ref", "--format=%(refname) %(objectname)", "refs/treadle"
    ).splitlines()
    return dict(line.split(" ") for line in lines)


async def test_every_turn_is_on_the_hub(first, git, origin):
    one = await first.work(1, "one")
    assert await first.copies.copy_all()
    two = await first.work(2, "two")
    assert await first.copies.copy_all()

    refs = on_hub(git, origin)
    assert {one, two} <= set(refs.values())
    assert git(origin, "merge-base", "--is-ancestor", one, two) == ""
    assert f"{first.copy.prefix}/heads/{BRANCH}" in refs
    said = git(origin, "log", "--format=%s", first.copy.fence).splitlines()
    assert said == ["Generation 1 of a"] * 2
    assert await first.copies.copy_all()
    assert on_hub(git, origin) == refs


async def test_a_thread_goes_on_at_another_host_in_a_new_worktree(first, git, origin, tmp_path):
    commit = await first.work(1, "one")
    await first.copies.copy_all()
    second = await HubHost(tmp_path / "b").enter(first.found)

    copy = second.copies.copy_of(THREAD, str(second.found.remote))
    taken = await second.hub.take_over(copy)
    spec = task_in(second.root)
    path = await second.workspaces.check_out(spec, commit)

    assert (path / "new.py").read_text() == "one"
    assert path.is_relative_to(tmp_path / "b")
    assert taken.generation == 2
    assert git(second.root, "rev-parse", BRANCH) == git(first.root, "rev-parse", BRANCH)
    assert git(second.root, "for-each-ref", "refs/treadle/hub") == ""
    second.records.keep(taken)
    newer = await second.work(2, "two")
    assert await second.copies.copy_all()
    assert newer in on_hub(git, origin).values()


async def test_a_fenced_host_is_refused_by_the_hub_and_says_what_it_still_has(
    first, git, origin, tmp_path
):
    await first.work(1, "one")
    await first.copies.copy_all()
    second = await HubHost(tmp_path / "b").enter(first.found)
    await second.hub.take_over(second.copies.copy_of(THREAD, str(second.found.remote)))
    refs = on_hub(git, origin)

    left = await first.work(2, "two")
    assert await first.copies.copy_all()

    assert on_hub(git, origin) == refs
    assert first.copy.is_fenced
    (told,) = first.told
    assert "went on at host b (generation 2)" in told
    assert left[:12] in told
    assert git(first.root, "cat-file", "-t", left) == "commit"
    await first.copies.copy_all()
    assert len(first.told) == 1


async def test_a_host_that_is_fenced_in_the_middle_of_a_push_is_refused(
    first, git, origin, tmp_path
):
    await first.work(1, "one")
    await first.copies.copy_all()
    old = first.copy
    second = await HubHost(tmp_path / "b").enter(first.found)
    await second.hub.take_over(second.copies.copy_of(THREAD, str(second.found.remote)))
    refs = on_hub(git, origin)
    await first.work(2, "two")

    with pytest.raises(FencedError):
        await first.hub.push(old)

    assert on_hub(git, origin) == refs


async def test_only_one_of_two_hosts_takes_a_thread_over(first, git, origin, tmp_path):
    await first.work(1, "one")
    await first.copies.copy_all()
    hosts = [await HubHost(tmp_path / name).enter(first.found) for name in "bcd"]

    ends = await asyncio.gather(
        *(h.hub.take_over(h.copies.copy_of(THREAD, str(h.found.remote))) for h in hosts),
        return_exceptions=True,
    )

    generations = [end.generation for end in ends if not isinstance(end, BaseException)]
    assert len(set(generations)) == len(generations) >= 1
    assert all(isinstance(end, TreadleError) for end in ends if isinstance(end, BaseException))


def age_locks(origin):
    """Make the locks that killed gits left on a hub look as they do a minute later."""
    for lock in origin.rglob("*.lock"):
        os.utime(lock, (0, 0))


async def test_a_lock_on_a_hub_in_a_folder_is_removed_when_no_push_can_be_holding_it(
    tmp_path, origin
):
    host = await HubHost(tmp_path / "a").open(f"file://{origin}")
    await host.workspaces.create_branch(str(host.root), BRANCH, "HEAD")
    await host.work(1, "one")
    lock = origin / f"{host.copy.fence}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()

    assert not await host.copies.copy_all()
    assert lock.exists()

    age_locks(origin)
    assert await host.copies.copy_all()
    assert not lock.exists()


async def test_git_killed_while_it_pushes_loses_nothing(first, git, origin):
    for number in range(10):
        await first.work(number, f"text {number}\n" * 2000)
        task = asyncio.ensure_future(first.copies.copy_all())
        await asyncio.wait({task}, timeout=number * 0.015)
        kill_gits()
        with suppress(TreadleError, OSError):
            await task
    last = await first.work(11, "last")
    assert await asyncio.to_thread(wait_for_gits)
    age_locks(origin)

    assert await first.copies.copy_all()

    assert last in on_hub(git, origin).values()
    assert git(origin, "fsck", "--connectivity-only", "--no-dangling") == ""
    assert not first.told


async def test_a_hub_that_is_away_fails_no_turn_and_is_told_after_some_time(
    first, git, origin, tmp_path
):
    host = HubHost(tmp_path / "a", warn_after=timedelta())
    await host.enter(first.found)
    origin.rename(origin.with_name("away.git"))
    await host.work(1, "one")

    assert not await host.copies.copy_all()
    assert not await host.copies.copy_all()
    (told,) = host.told
    assert "the work has been on this host only since" in told
    origin.with_name("away.git").rename(origin)

    assert await host.copies.copy_all()
    assert host.copy.failing_since is None
    assert on_hub(git, origin)


async def test_the_refs_go_with_the_thread_also_when_the_hub_was_away(first, git, origin):
    await first.work(1, "one")
    await first.copies.copy_all()
    origin.rename(origin.with_name("away.git"))
    first.note(is_removed=True)
    assert not await first.copies.copy_all()
    assert first.copy.is_removed
    origin.with_name("away.git").rename(origin)

    assert await first.copies.copy_all()

    assert on_hub(git, origin) == {}
    assert [*first.records.every()] == []


def test_a_path_has_a_copy_only_on_a_named_hub(tmp_path):
    host = HubHost(tmp_path / "a")
    assert host.copies.copy_of(THREAD, "/home/ann/app") is None
    named = HubCopies(
        host.hub, host.mirrors, tmp_path, HubChoice(url="file:///srv/hub.git"), host.tell
    )
    copy = named.copy_of(THREAD, "/home/ann/app")
    assert (copy.root, copy.url) == ("/home/ann/app", "file:///srv/hub.git")
    assert named.copy_of("../x", "/home/ann/app") is None
