"""Merges of a finished branch into people's own in several repositories: in all, or in none."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.git.commands import Git
from adapters.git.landings import GitLandings
from adapters.git.manifests import Manifests
from adapters.git.repositories import Repositories, Repository
from adapters.git.several.ref_moves import RefMoves
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.core.ids import ThreadId
from domain.core.ref_moves import MovesEnd, RefMove
from domain.threads.landing.calls import LandCall, LandingRefusedError

_SHORT = 12


class _LandingMoves(RefMoves):
    """Moves people's branches with the checkouts that they are out in."""

    folder = "landings"

    def __init__(
        self, git: Git, repositories: Repositories, data_dir: Path, landings: GitLandings
    ) -> None:
        super().__init__(git, repositories, data_dir)
        self._landings = landings
        self.refusals: list[str] = []

    async def swap(self, move: RefMove, old: str, new: str) -> bool:
        """Move a branch and its checkout, by git's own rules for it."""
        repository = await self._repositories.find(move.repository)
        target = move.ref.removeprefix("refs/heads/")
        call = LandCall(
            thread_id=ThreadId(""),
            repository=move.repository,
            branch=move.new[:_SHORT],
            commit=move.new,
            target=target,
            target_commit=move.old,
        )
        try:
            if new == move.new:
                await self._landings.bring(repository, call, new)
            else:
                await self._landings.put_back(repository, call, old)
        except LandingRefusedError as error:
            self.refusals.append(error.message)
            return False
        return True


class SeveralLandings:
    """The `Landings` port; a thread with one repository passes through."""

    def __init__(self, spawner: Spawner, data_dir: Path, environment: Mapping[str, str]) -> None:
        """Make the port; a checkout is written as its person's own git would, by `environment`."""
        self._one = GitLandings(spawner, data_dir, environment)
        self._git = Git(spawner)
        self._data_dir = data_dir
        self._repositories = Repositories(self._git, data_dir)
        self._manifests = Manifests(self._git)

    async def land(self, call: LandCall) -> str:
        """Merge a branch in all of its repositories; returns where the target of its own is.

        Another attempt goes on with what a killed one wrote down.

        Raises:
            LandingRefusedError: In one a branch has moved, they conflict, or a person's changes are in the way.
        """
        if not call.beside:
            return await self._one.land(call)
        moves = _LandingMoves(self._git, self._repositories, self._data_dir, self._one)
        await moves.recover()
        parts = await self._parts(call)
        async with moves.locked([repository for repository, _ in parts]):
            if moves.is_left(_key(call)):
                raise WorkspaceError("a merge that was killed cannot go on: the log says why")
            made, planned = await self._plan(parts)
            end = await moves.carry_out(_key(call), planned) if planned else MovesEnd.MOVED
        if end is MovesEnd.MOVED:
            return made
        why = "; ".join(moves.refusals) or "a branch was moved meanwhile"
        if end is MovesEnd.TANGLED:
            raise LandingRefusedError(
                f"{why}. What was merged before could not be taken back everywhere: look at the branches, "
                "then merge again, which merges the rest"
            )
        raise LandingRefusedError(f"nothing was merged in any repository: {why}")

    async def _plan(
        self, parts: Sequence[tuple[Repository, LandCall]]
    ) -> tuple[str, list[RefMove]]:
        """Return where the last target goes, and the moves of those that are not there yet.

        Raises:
            LandingRefusedError: One cannot be merged; says in which repository.
        """
        made, moves = "", list[RefMove]()
        for repository, part in parts:
            try:
                made = await self._one.plan(repository, part)
            except LandingRefusedError as error:
                raise LandingRefusedError(f"in {part.repository}: {error.message}") from error
            if made == await self._one.tip(repository.place, part.target):
                continue
            ref, old = f"refs/heads/{part.target}", part.target_commit
            moves.append(RefMove(repository=part.repository, ref=ref, old=old, new=made))
        return made, moves

    async def _parts(self, call: LandCall) -> list[tuple[Repository, LandCall]]:
        """Return what is merged in each repository, the thread's own last."""
        own = await self._repositories.find(call.repository)
        manifest = await self._manifests.of(own.place, call.commit, call.beside)
        parts: list[tuple[Repository, LandCall]] = []
        for one in call.beside:
            there = {
                "repository": one.repository,
                "commit": manifest[one.name],
                "target": one.target,
                "target_commit": one.target_commit,
                "beside": (),
            }
            found = await self._repositories.find(one.repository)
            parts.append((found, call.model_copy(update=there)))
        return [*parts, (own, call)]


def _key(call: LandCall) -> str:
    return f"{call.thread_id}/land/{call.commit}"
