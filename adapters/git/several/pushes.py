"""Pushes of a branch in several repositories: on all of their remotes, or on none."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from adapters.git.commands import Git
from adapters.git.manifests import Manifests
from adapters.git.pushes import GitPushes, Outgoing
from adapters.git.repositories import Repositories, Repository
from adapters.git.several.ref_moves import RefMoves
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError
from domain.core.ref_moves import MovesEnd, RefMove
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError, PushNotThroughError
from domain.threads.publishing.publication import PushedBeside, PushedBranch

_LIMIT_SECONDS = 300.0
_CONFIRMS = (
    "push the branch there with git: --address confirms the first repository's remote only, not"
)


@dataclass(frozen=True)
class _Part:
    """What is pushed of one repository; the thread's own has no name."""

    name: str
    repository: str
    out: Outgoing

    def move_from(self, tip: str) -> RefMove:
        """Return the move of the branch on the remote from where it is there."""
        pushed = self.out.pushed
        return RefMove(
            repository=self.repository,
            remote=pushed.remote,
            address=self.out.known,
            ref=self.out.ref,
            old=tip,
            new=pushed.commit,
        )


class _PushMoves(RefMoves):
    """Moves branches on remotes; locks of repositories are not held for as long as a network takes."""

    folder = "pushes"

    def __init__(
        self, git: Git, repositories: Repositories, data_dir: Path, pushes: GitPushes
    ) -> None:
        super().__init__(git, repositories, data_dir)
        self._pushes = pushes
        self._lock = asyncio.Lock()
        self.refusals: list[str] = []

    @asynccontextmanager
    async def locked(self, repositories: Sequence[Repository]) -> AsyncGenerator[None]:
        """Have one push of several at a time."""
        del repositories
        async with self._lock:
            yield

    async def tip_of(self, move: RefMove) -> str:
        """Return where the branch is on the remote."""
        return await self._pushes.tip(await self._outgoing(move))

    async def swap(self, move: RefMove, old: str, new: str) -> bool:
        """Push the commit unforced; or put the branch back, if the remote still has what was pushed."""
        out = await self._outgoing(move)
        try:
            if new == move.new:
                await self._pushes.send(out)
            else:
                lease = f"--force-with-lease={move.ref}:{old}"
                await self._pushes.send(out, lease, source=new)
        except PushNotThroughError as error:
            if new != move.new:
                raise  # it goes back when the remote answers again
            self.refusals.append(error.message)
            return False
        except PushError as error:
            self.refusals.append(error.message)
            return False
        return True

    async def _outgoing(self, move: RefMove) -> Outgoing:
        return await self._pushes.outgoing_as(move)


class SeveralPushes:
    """The `Remotes` port; a thread with one repository passes through."""

    def __init__(
        self,
        spawner: Spawner,
        data_dir: Path,
        environment: Mapping[str, str],
        limit_seconds: float = _LIMIT_SECONDS,
    ) -> None:
        """Make the port; `environment` is what git needs of the worker's, for ssh agents and such."""
        self._one = GitPushes(spawner, data_dir, environment, limit_seconds)
        git = Git(spawner)
        self._repositories = Repositories(git, data_dir)
        self._manifests = Manifests(git)
        self._moves = _PushMoves(git, self._repositories, data_dir, self._one)

    async def push(self, call: PushCall) -> PushedBranch:
        """Push the branch in all of its repositories that have changed, or in none.

        Another attempt goes on with what a killed one wrote down.

        Raises:
            RepositoryError: As for one repository; the message says which.
            PushError: A remote refuses; the message says why, and what became of the others.
            PushNotThroughError: One does not answer: try again.
        """
        if not call.beside:
            return await self._one.push(call)
        key = f"{call.repository}/{call.branch}"
        try:
            await self._moves.recover_one(key)
            parts = await self._parts(call)
            async with self._moves.locked(()):
                await self._push(key, parts)
        except PushNotThroughError as error:
            if not self._moves.is_left(key):
                raise
            raise PushNotThroughError(
                f"{error.message}. Others may have the branch: publishing again ends it"
            ) from error
        *beside, own = parts
        others = tuple(_beside(part) for part in beside)
        return own.out.pushed.model_copy(update={"beside": others})

    async def _push(self, key: str, parts: Sequence[_Part]) -> None:
        moves = list[RefMove]()
        for part in parts:
            tip = await self._one.tip(part.out)
            if tip != part.out.pushed.commit:
                # what a remote refuses at once has nobody see half of it for a moment
                await self._one.send(part.out, "--dry-run")
                moves.append(part.move_from(tip))
        self._moves.refusals.clear()
        end = await self._moves.carry_out(key, moves) if moves else MovesEnd.MOVED
        why = "; ".join(self._moves.refusals) or "a branch was moved on its remote meanwhile"
        if end is MovesEnd.PUT_BACK:
            raise PushError(f"nothing was published of any repository: {why}")
        if end is MovesEnd.TANGLED:
            raise PushError(
                f"{why}. What was pushed before could not be taken back everywhere: look at the branch on "
                "the remotes, then publish again, which pushes the rest"
            )

    async def _parts(self, call: PushCall) -> list[_Part]:
        """Return what is pushed, the thread's own last; what has not changed beside it is left out."""
        own = _Part("", call.repository, await self._one.outgoing(call))
        place = (await self._repositories.find(call.repository)).place
        manifest = await self._manifests.of(place, own.out.pushed.commit, call.beside)
        parts: list[_Part] = []
        for one in call.beside:
            if manifest[one.name] == one.begins_at:
                continue
            there = {
                "repository": one.repository,
                "known": one.known,
                "commit": manifest[one.name],
                "address": "",
                "beside": (),
            }
            try:
                out = await self._one.outgoing(call.model_copy(update=there), _CONFIRMS)
            except RepositoryError as error:
                raise RepositoryError(
                    f"nothing was published, for {one.name}: {error.message}"
                ) from error
            parts.append(_Part(one.name, one.repository, out))
        return [*parts, own]


def _beside(part: _Part) -> PushedBeside:
    return PushedBeside(name=part.name, **part.out.pushed.model_dump(exclude={"beside"}))
