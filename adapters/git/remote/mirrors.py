"""Mirrors of repositories that are named by a URL, and checkouts of their commits.

A checkout has hard links to the objects of its mirror, so it needs no other folder and hardly any room. It
is finished by a mark: whatever kills its making, the next attempt makes it again.
"""

import asyncio
import secrets
import time
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path

from adapters.files.removal import remove_tree
from adapters.files.state_files import file_lock, write_atomic
from adapters.files.trusted_metadata import TrustedMetadata
from adapters.git.commands import Git, GitPlace
from adapters.git.fingerprints import Fingerprints
from adapters.git.locks import clear_stale
from adapters.git.remote.found import Found
from adapters.git.remote.leaving import READY, age, drop, is_used, place_in
from adapters.git.remote.network import NetworkGit
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.core.remote_errors import RepositoryUnreachableError, UnknownRefError
from domain.core.remote_repositories import RemoteRepository

UNUSED_SECONDS = 14 * 24 * 3600.0
_EVERY_SECONDS = 3600.0
_URL = "url"
_EVERYTHING = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")


class Mirrors:
    """The repositories under the data folder that were named by URLs."""

    def __init__(self, spawner: Spawner, network: NetworkGit, data_dir: Path) -> None:
        self._git = Git(spawner)
        self._network = network
        self._folder = data_dir / "repositories"
        self._trusted = TrustedMetadata(data_dir)
        self._fingerprints = Fingerprints(self._git)

    def place_of(self, remote: RemoteRepository) -> Path:
        """Return where the checkout of a commit is, or would be."""
        return self._folder / remote.key / "checkouts" / remote.ref / remote.name

    async def resolve(self, remote: RemoteRepository) -> Found:
        """Return a repository at the commit that its ref is now at, with the mirror holding it.

        Raises:
            UnknownRefError: It has no such branch, tag or commit.
            RepositoryAccessError: It refuses this host, or there is none.
            RepositoryUnreachableError: It does not answer.
        """
        async with self._lock(remote):
            await self._make_mirror(remote)
            commit, branch = await self._ask(remote)
            if not commit or not await self._holds(remote, commit):
                await self._fetch(remote, commit or remote.ref)
            if branch and not await self._holds(remote, commit):
                commit = f"refs/heads/{branch}"  # it was moved by force in between
            commit = await self._commit_of(remote, commit or remote.ref)
        return Found(remote.at(commit), branch)

    async def checkout(self, found: Found) -> Path:
        """Return the checkout of a commit, made if there is none; asks the network only for what is missing.

        Raises:
            WorkspaceError: What is missing cannot be had now.
            UnknownRefError: The repository has no such commit any more.
        """
        remote, place = found.remote, self.place_of(found.remote)
        if not self._is_ready(place):
            async with self._lock(remote):
                if not self._is_ready(place):
                    await self._bring(remote)
                    await self._make(remote, place)
        if found.branch:
            await self._name(place, found)
        with suppress(OSError):
            (place.parent / READY).touch()
        return place

    async def release(self, remote: RemoteRepository) -> bool:
        """Remove the checkout of a commit if no thread has anything in it; tells whether it is gone."""
        place = self.place_of(remote)
        async with self._lock(remote):
            if not place.parent.is_dir():
                return True
            if self._is_ready(place) and await is_used(self._git, place):
                return False
            await drop(place)
            return True

    async def any_git_folder(self) -> Path:
        """Return a bare repository of this host with nothing in it, for commands that need one."""
        folder = self._folder / "empty.git"
        if not (folder / "refs").is_dir():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            await self._git.run(GitPlace(folder), "init", "--quiet", "--bare", "--template=")
        return folder

    async def prune(self, unused_seconds: float = UNUSED_SECONDS) -> tuple[str, ...]:
        """Remove checkouts and mirrors that nothing has used for some time; returns what went."""
        gone: list[str] = []
        for folder in sorted(self._folder.glob("*/mirror.git")):
            async with file_lock(self._lock_file(folder.parent.name)):
                gone += await self._prune(folder.parent, time.time() - unused_seconds)
        return tuple(gone)

    async def keep_pruning(self) -> None:
        """Prune from time to time, until it is cancelled."""
        while True:
            with suppress(WorkspaceError, OSError):
                await self.prune()
            await asyncio.sleep(_EVERY_SECONDS)

    async def _prune(self, folder: Path, before: float) -> list[str]:
        gone: list[str] = []
        checkouts = folder / "checkouts"
        for each in sorted(checkouts.iterdir()) if checkouts.is_dir() else ():
            place = place_in(each)
            ready = each / READY
            is_old = age(ready) < before
            if is_old and not (self._is_ready(place) and await is_used(self._git, place)):
                await drop(place)
                gone.append(str(each))
        if not (checkouts.is_dir() and any(checkouts.iterdir())) and age(folder / _URL) < before:
            await self._remove_mirror(folder)
            gone.append(str(folder))
        return gone

    async def discard_checkout(self, folder: Path, used_at: float) -> bool:
        """Remove a checkout's folder unless a thread has anything in it, or it was used since; tell whether it went."""
        async with file_lock(self._lock_file(folder.parent.parent.name)):
            place = place_in(folder)
            if age(folder / READY) > used_at:
                return False
            if self._is_ready(place) and await is_used(self._git, place):
                return False
            await drop(place)
            return True

    async def discard_mirror(self, folder: Path, used_at: float) -> bool:
        """Remove a mirror's folder unless it has checkouts, or was used since; tell whether it went."""
        async with file_lock(self._lock_file(folder.name)):
            checkouts = folder / "checkouts"
            if age(folder / _URL) > used_at or (checkouts.is_dir() and any(checkouts.iterdir())):
                return False
            await self._remove_mirror(folder)
            return True

    async def _remove_mirror(self, folder: Path) -> None:
        """Remove a mirror; without its URL the rest of one is none, whatever kills this."""
        (folder / _URL).unlink(missing_ok=True)
        await asyncio.to_thread(remove_tree, folder)

    def _lock(self, remote: RemoteRepository) -> AbstractAsyncContextManager[None]:
        return file_lock(self._lock_file(remote.key))

    def _lock_file(self, key: str) -> Path:
        return self._folder / "locks" / f"{key}.lock"

    def _mirror(self, remote: RemoteRepository) -> Path:
        return self._folder / remote.key / "mirror.git"

    def _bare(self, remote: RemoteRepository) -> GitPlace:
        mirror = self._mirror(remote)
        return GitPlace(mirror, {"GIT_DIR": str(mirror)})

    async def _make_mirror(self, remote: RemoteRepository) -> None:
        mirror = self._mirror(remote)
        if not mirror.with_name(_URL).exists():
            await asyncio.to_thread(remove_tree, mirror)  # what a killed attempt left
            mirror.mkdir(parents=True, exist_ok=True, mode=0o700)
            await self._git.run(
                GitPlace(mirror), "init", "--quiet", "--bare", "--template=", "--", str(mirror)
            )
            write_atomic(mirror.with_name(_URL), remote.url)
        mirror.with_name(_URL).touch()
        for lock in [*mirror.glob("*.lock"), *(mirror / "refs").rglob("*.lock")]:
            await clear_stale(lock, (mirror,))

    async def _ask(self, remote: RemoteRepository) -> tuple[str, str]:
        """Return where a branch or tag is at its origin and the branch's name; empty where there is none."""
        if remote.is_pinned:
            return remote.ref, ""
        ref = remote.ref.removeprefix("refs/heads/")
        heads, tags = f"refs/heads/{ref}", f"refs/tags/{ref}"
        wanted = (heads, tags, f"{tags}^{{}}") if ref else ("HEAD",)
        asked = await self._network.run(
            self._mirror(remote),
            remote.url,
            *("ls-remote", "--quiet", "--symref", "--", remote.url, *wanted),
        )
        if asked.returncode != 0:
            raise self._network.failure(asked, remote.url)
        rows = [line.split("\t") for line in asked.output.text().splitlines() if "\t" in line]
        tips = {name: oid for oid, name in rows if not oid.startswith("ref: ")}
        head = next(
            (oid.removeprefix("ref: refs/heads/") for oid, _ in rows if oid.startswith("ref:")), ""
        )
        if not ref and "HEAD" not in tips:
            raise UnknownRefError(
                f"{remote.url} has no commit yet: push a first one, then try again"
            )
        branch = head if not ref else ref if heads in tips else ""
        return next(
            (tips[name] for name in ("HEAD", heads, wanted[-1], tags) if name in tips), ""
        ), branch

    async def _fetch(self, remote: RemoteRepository, wanted: str) -> None:
        """Fetch all branches and tags, and a commit that is on none of them."""
        mirror = self._mirror(remote)
        fetch = (
            "fetch",
            "--quiet",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "--no-auto-gc",
        )
        for left in (mirror / "objects").glob("*/tmp_*"):  # of packs and of single objects
            left.unlink(missing_ok=True)
        done = await self._network.run(
            mirror, remote.url, *fetch, "--prune", "--no-tags", "--", remote.url, *_EVERYTHING
        )
        if done.returncode != 0:
            raise self._network.failure(done, remote.url)
        if remote.is_pinned and not await self._holds(remote, wanted):
            await self._network.run(
                mirror, remote.url, *fetch, "--", remote.url, f"{wanted}:refs/commits/{wanted}"
            )

    async def _commit_of(self, remote: RemoteRepository, name: str) -> str:
        asked = await self._git.run(
            self._bare(remote),
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
            accepts=(0, 1, 128),
        )
        if asked.returncode != 0:
            raise UnknownRefError(
                f"{remote.url} has no branch, tag or commit {remote.ref!r}: look at `git ls-remote "
                f"{remote.url}`, or push it there, then try again"
            )
        return asked.output.text().strip()

    async def _holds(self, remote: RemoteRepository, commit: str) -> bool:
        asked = await self._git.run(
            self._bare(remote), "cat-file", "-e", f"{commit}^{{commit}}", accepts=(0, 1, 128)
        )
        return asked.returncode == 0

    async def _bring(self, remote: RemoteRepository) -> None:
        await self._make_mirror(remote)
        if await self._holds(remote, remote.ref):
            return
        try:
            await self._fetch(remote, remote.ref)
        except RepositoryUnreachableError as error:
            raise WorkspaceError(error.message) from error
        await self._commit_of(remote, remote.ref)

    def _is_ready(self, place: Path) -> bool:
        return (place.parent / READY).exists() and place.is_dir()

    async def _make(self, remote: RemoteRepository, place: Path) -> None:
        """Make a checkout; its metadata is trusted, for nobody had it before."""
        await asyncio.to_thread(remove_tree, place.parent)
        place.parent.mkdir(parents=True, mode=0o700)
        mirror = self._mirror(remote)
        await self._git.run(
            GitPlace(place.parent),
            *("clone", "--quiet", "--local", "--no-checkout", "--no-tags", "--template="),
            *("--origin=origin", "--", str(mirror), str(place)),
            is_long=True,
        )
        here = GitPlace(place)
        await self._git.run(here, "config", "remote.origin.url", remote.url)
        await self._git.run(
            here,
            "-c",
            "advice.detachedHead=false",
            "checkout",
            "--quiet",
            "--detach",
            remote.ref,
            is_long=True,
        )
        self._trusted.trust(place, await self._fingerprints.of(place))
        write_atomic(place.parent / READY, secrets.token_hex(4))

    async def _name(self, place: Path, found: Found) -> None:
        """Have a branch of the origin's name in a checkout, so that changes are compared with it."""
        await self._git.run(
            GitPlace(place),
            *("update-ref", f"refs/heads/{found.branch}", found.remote.ref, ""),
            accepts=(0, 128),
        )
