"""A hub: the repository that the work of threads is copied to, so that none is on one disk only.

Every push moves the thread's generation ref by compare-and-swap, and all other refs with it or none. So the
hub itself refuses a host whose thread another one has taken over, also in the middle of a push.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.remote.hub_locks import remove_old_locks
from adapters.git.remote.hub_records import HubCopy
from adapters.git.remote.network import NetworkGit
from adapters.git.repositories import Repositories
from adapters.git.saved_state import Aside, SavedState
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.threads.publishing.publication import without_secrets

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_CLAIM = re.compile(r"Generation (\d+) of (\S+)")
_ATTEMPTS = 3
_BATCH = 200
_WORDS = 300

FOUND = "found-"
"""How refs begin of commits that somebody pushed from a lost host, below those of the thread."""

_NAMED = 10


class FencedError(WorkspaceError):
    """Another host has taken the thread over; the message says what this host still has that is newer."""

    type = "host_fenced"


class NotCopiedError(WorkspaceError):
    """The hub has nothing of a thread: it moved before anything of it was copied."""


@dataclass(frozen=True)
class Claim:
    """Whose a thread is: the host of a generation, by the commit that its ref is at."""

    commit: str = ""
    generation: int = 0
    host: str = ""


class Hub:
    """Copies refs of threads to a hub, and brings them back from it."""

    def __init__(self, spawner: Spawner, network: NetworkGit, data_dir: Path, host: str) -> None:
        self._git = Git(spawner)
        self._network = network
        self._repositories = Repositories(self._git, data_dir)
        self._saved = SavedState(spawner, data_dir)
        self._aside = data_dir / "aside"
        self._host = host

    async def push(self, copy: HubCopy) -> HubCopy:
        """Copy what has changed; returns what is known of the copy then.

        Raises:
            FencedError: The thread is another host's by now; nothing was changed there, and nothing here.
            TreadleError: It did not work this time.
        """
        place = (await self._repositories.find(copy.root)).place
        refs = await self._refs(place, copy)
        while changed := {ref: oid for ref, oid in refs.items() if copy.pushed.get(ref) != oid}:
            batch = dict(islice(changed.items(), _BATCH))
            moves = [f"+{oid}:{copy.there(ref)}" for ref, oid in batch.items()]
            copy = await self._push(place, copy, moves, refs)
            copy = copy.model_copy(update={"pushed": {**copy.pushed, **batch}})
        return copy

    async def remove(self, copy: HubCopy, git_dir: Path) -> None:
        """Remove a thread's refs from the hub, unless it is another host's; `git_dir` is any git folder.

        Raises:
            TreadleError: It did not work this time.
        """
        found = await self._listed(git_dir, copy)
        claim = await self._claim(git_dir, copy, found.get(copy.fence, ""))
        if not found or not self._is_ours(copy, claim):
            return
        await asyncio.to_thread(remove_old_locks, copy)
        lease = f"--force-with-lease={copy.fence}:{claim.commit}"
        done = await self._network.run(
            git_dir,
            copy.url,
            *("push", "--porcelain", "--no-verify", "--atomic", lease, "--", copy.url),
            *(f":{ref}" for ref in found),
        )
        if done.returncode != 0:
            raise self._network.failure(done, copy.url)

    async def take_over(self, copy: HubCopy) -> HubCopy:
        """Take a thread over from the host that it is on: fence that one, then bring the thread's refs here.

        Refs of this host that are elsewhere stay, below `refs/treadle/aside/hub/`. Worktrees of an earlier time that the
        thread was here go to `aside` in the data folder: their files are older than the branches now.

        Raises:
            NotCopiedError: The hub has nothing of the thread.
            WorkspaceError: Another host took it at the same time.
            TreadleError: The hub cannot be reached.
        """
        place = (await self._repositories.find(copy.root)).place
        git_dir = Path(place.environment["GIT_DIR"])
        found = await self._listed(git_dir, copy)
        if copy.fence not in found:
            raise NotCopiedError(
                f"{copy.url} has nothing of {copy.thread_id}: it was never copied there"
            )
        before = await self._claim(git_dir, copy, found[copy.fence])
        mine = copy.model_copy(
            update={
                "generation": before.generation + 1,
                "lease": before.commit,
                "came_from": before.host,
            }
        )
        mine = await self._push(place, mine, [], {}, attempts=1)
        name = f"{copy.thread_id}-{mine.generation}"
        await self._saved.set_aside(copy.root, Aside(name, self._aside / name), copy.owns)
        await self._fetch(git_dir, copy, f"+{copy.prefix}/*:refs/treadle/hub/{copy.thread_id}/*")
        return await self._adopt(place, mine)

    async def fetch_more(self, copy: HubCopy) -> None:
        """Bring what somebody has pushed for a thread from its lost host; no branch here moves.

        Raises:
            TreadleError: The hub cannot be reached.
        """
        git_dir = Path((await self._repositories.find(copy.root)).place.environment["GIT_DIR"])
        if await self._listed(git_dir, copy):
            found = f"refs/treadle/{copy.thread_id}/{FOUND}*"
            await self._fetch(git_dir, copy, f"+{copy.there(found)}:{found}")

    async def _adopt(self, place: GitPlace, copy: HubCopy) -> HubCopy:
        """Move this host's refs to where the hub's are."""
        fetched = f"refs/treadle/hub/{copy.thread_id}/"
        listed = await self._all(place, fetched)
        now = await self._all(place, "refs/heads/", "refs/treadle/")
        pushed: dict[str, str] = {}
        moves = ""
        for ref, oid in listed.items():
            moves += f"delete {ref}\0{oid}\0"
            name = f"refs/{ref.removeprefix(fetched)}"
            if name == "refs/generation":
                continue
            pushed[name] = oid
            if now.get(name) not in {None, oid}:
                moves += (
                    f"update refs/treadle/aside/hub/{name.removeprefix('refs/')}\0{now[name]}\0\0"
                )
            moves += f"update {name}\0{oid}\0{now.get(name, '')}\0"
        await self._git.run(
            place, "update-ref", "--no-deref", "-z", "--stdin", stdin=moves.encode()
        )
        return copy.model_copy(update={"pushed": pushed})

    async def _push(
        self,
        place: GitPlace,
        copy: HubCopy,
        moves: list[str],
        refs: Mapping[str, str],
        attempts: int = _ATTEMPTS,
    ) -> HubCopy:
        git_dir = Path(place.environment["GIT_DIR"])
        for _ in range(attempts):
            lease = await self._lease(place, copy)
            done = await self._network.run(
                git_dir,
                copy.url,
                *(
                    "push",
                    "--porcelain",
                    "--no-verify",
                    "--no-follow-tags",
                    "--no-signed",
                    "--atomic",
                ),
                *("--recurse-submodules=no", f"--force-with-lease={copy.fence}:{copy.lease}"),
                *("--", copy.url, f"{lease}:{copy.fence}", *moves),
            )
            if done.returncode == 0:
                return copy.model_copy(update={"lease": lease})
            there = (await self._listed(git_dir, copy)).get(copy.fence, "")
            if there == copy.lease and await asyncio.to_thread(remove_old_locks, copy):
                continue
            if there == copy.lease:
                words = without_secrets(f"{done.output.text()} {done.errors}".strip())[-_WORDS:]
                raise WorkspaceError(f"{copy.url} refuses the copy of {copy.thread_id}: {words}")
            claim = await self._claim(git_dir, copy, there)
            if not self._is_ours(copy, claim):
                raise FencedError(await self._left_behind(git_dir, copy, claim, refs))
            copy = copy.model_copy(update={"lease": claim.commit})
        raise WorkspaceError(f"the copy of {copy.thread_id} on {copy.url} keeps moving: try again")

    async def _lease(self, place: GitPlace, copy: HubCopy) -> str:
        """Make the commit that a push leaves on the generation ref: a new one each time."""
        await self._git.run(place, "hash-object", "-w", "-t", "tree", "--stdin")
        parent = ("-p", copy.lease) if copy.lease else ()
        said = f"Generation {copy.generation} of {self._host}\n"
        return await self._git.line(
            place, "commit-tree", *parent, "-F", "-", _EMPTY_TREE, stdin=said.encode()
        )

    def _is_ours(self, copy: HubCopy, claim: Claim) -> bool:
        is_mine = claim.generation == copy.generation and claim.host == self._host
        return is_mine or claim.generation < copy.generation

    async def _claim(self, git_dir: Path, copy: HubCopy, commit: str) -> Claim:
        """Read whose a thread is, from the commit of its generation ref."""
        if not commit:
            return Claim()
        await self._fetch(git_dir, copy, copy.fence)
        place = GitPlace(git_dir, {"GIT_DIR": str(git_dir)})
        said = await self._git.run(place, "cat-file", "commit", commit, accepts=(0, 1, 128))
        found = _CLAIM.search(said.output.text())
        if found is None:
            raise WorkspaceError(f"{copy.fence} of {copy.url} is not of Treadle: look at it there")
        return Claim(commit, int(found[1]), found[2])

    async def _left_behind(
        self, git_dir: Path, copy: HubCopy, claim: Claim, refs: Mapping[str, str]
    ) -> str:
        """Say what this host has of a thread that the hub has not."""
        there = await self._listed(git_dir, copy)
        newer = [
            f"{ref} at {oid[:12]}" for ref, oid in refs.items() if there.get(copy.there(ref)) != oid
        ]
        more = f" and {len(newer) - _NAMED} more" if len(newer) > _NAMED else ""
        left = f"{', '.join(newer[:_NAMED])}{more}" or "nothing"
        return (
            f"{copy.thread_id} went on at host {claim.host} (generation {claim.generation}), so this host "
            f"({self._host}, generation {copy.generation}) copies nothing of it to the hub any more. Left "
            f"behind in {copy.root}, and not on the hub: {left}"
        )

    async def _listed(self, git_dir: Path, copy: HubCopy) -> dict[str, str]:
        asked = await self._network.run(
            git_dir, copy.url, "ls-remote", "--quiet", "--", copy.url, f"{copy.prefix}/*"
        )
        if asked.returncode != 0:
            raise self._network.failure(asked, copy.url)
        rows = (line.partition("\t") for line in asked.output.text().splitlines())
        return {ref: oid for oid, _, ref in rows if ref.startswith(f"{copy.prefix}/")}

    async def _fetch(self, git_dir: Path, copy: HubCopy, spec: str) -> None:
        fetch = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc")
        done = await self._network.run(
            git_dir,
            copy.url,
            *(*fetch, "--recurse-submodules=no", "--refmap=", "--", copy.url, spec),
        )
        if done.returncode != 0:
            raise self._network.failure(done, copy.url)

    async def _refs(self, place: GitPlace, copy: HubCopy) -> dict[str, str]:
        every = await self._all(place, "refs/heads/", f"refs/treadle/{copy.thread_id}/")
        return {ref: oid for ref, oid in every.items() if copy.owns(ref)}

    async def _all(self, place: GitPlace, *prefixes: str) -> dict[str, str]:
        listed = await self._git.run(
            place, "for-each-ref", "--format=%(refname) %(objectname)", *prefixes
        )
        rows = (line.partition(" ") for line in listed.output.text().splitlines())
        return {ref: oid for ref, _, oid in rows}
