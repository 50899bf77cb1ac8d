"""Merges of one piece of work into the branches of several repositories: all move, or none does."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from adapters.git.commands import Git
from adapters.git.commits import MERGE_TRAILER, Commit, Commits, message_of
from adapters.git.index import Index
from adapters.git.manifests import trailers_of
from adapters.git.merges import Merges
from adapters.git.repositories import Repositories, Repository
from adapters.git.several.places import Places, named, trees_together
from adapters.git.several.ref_moves import RefMoves
from adapters.git.worktrees import Worktrees
from domain.core.errors import WorkspaceError
from domain.core.ref_moves import MovesEnd, RefMove
from domain.core.workspaces import MergeCandidate, MergeResult, SideChoice
from domain.threads.calls import SettleCall

_ATTEMPTS = 5


@dataclass(frozen=True)
class _Part:
    """What is to be merged in one repository; the thread's own has no name."""

    name: str
    repository: Repository
    commit: str

    @property
    def folder(self) -> str:
        return f"../{self.name}/" if self.name else ""


@dataclass(frozen=True)
class _Target:
    """Where the branch of a repository is, and where it goes."""

    part: _Part
    tip: Commit
    commit: str
    tree: str

    @property
    def is_new(self) -> bool:
        return self.tip.oid != self.commit


class JointMerges:
    """Merges accepted commits of several repositories into a thread's branch in each."""

    def __init__(
        self, git: Git, repositories: Repositories, worktrees: Worktrees, data_dir: Path
    ) -> None:
        self._repositories = repositories
        self._commits = Commits(git, Index(git))
        self._merges = Merges(git, self._commits, worktrees)
        self.places = Places(git, repositories, worktrees)
        self.moves = RefMoves(git, repositories, data_dir)

    async def merge(
        self, call: SettleCall, commit: str, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Merge a commit and those beside it, once per key; on a conflict in one no branch moves.

        With `verified` names of trees the branches only move to the commits' own or to these. What somebody
        moves from outside meanwhile is put back nowhere: the merge is made again on top of it.

        Raises:
            RepositoryError: A branch or a repository is gone.
            WorkspaceError: A branch is checked out by the user, or keeps moving.
        """
        await self.moves.recover()
        parts = await self._parts(call, commit)
        async with self.moves.locked([part.repository for part in parts]):
            for _ in range(_ATTEMPTS):
                result = await self._try(call, parts, verified)
                if result is not None:
                    return result
        raise WorkspaceError(f"branch {call.branch} kept moving while {call.key} was merged")

    async def _parts(self, call: SettleCall, commit: str) -> list[_Part]:
        """Return what is merged, the thread's own repository last: its commit names the others."""
        spec = call.workspace
        manifest = await self.places.manifest(spec, commit)
        beside = [
            _Part(one.name, await self._repositories.find(one.repository), manifest[one.name])
            for one in spec.beside
        ]
        return [*beside, _Part("", await self._repositories.find(spec.repository), commit)]

    async def _try(
        self, call: SettleCall, parts: Sequence[_Part], verified: Collection[str] | None
    ) -> MergeResult | MergeCandidate | None:
        beside, conflicts = await self._targets(call, parts[:-1])
        last, own_conflicts = await self._targets(call, parts[-1:])
        if found := [*conflicts, *own_conflicts]:
            kept = _kept_in(call, found)
            if kept is None:
                tip = own_conflicts[0][1].tip if own_conflicts else last[0].tip.oid
                return _conflict(found).model_copy(update={"tip": tip})
            chosen = call.model_copy(update={"keeps": None})
            beside, _ = await self._targets(chosen, parts[:-1], kept)
            last, _ = await self._targets(chosen, parts[-1:], kept)
        own = await self._named(call, last[0], beside)
        tree = trees_together([own.tree, *(each.tree for each in sorted(beside, key=_name))])
        if verified is not None and tree not in {*await self._own_tree(call, parts), *verified}:
            return MergeCandidate(commit=own.commit, tree=tree)
        return await self._move(call, [*beside, own])

    async def _own_tree(self, call: SettleCall, parts: Sequence[_Part]) -> tuple[str, ...]:
        if not call.is_verified:
            return ()
        manifest = {part.name: part.commit for part in parts[:-1]}
        return (await self.places.tree(call.workspace, parts[-1].commit, manifest),)

    async def _targets(
        self,
        call: SettleCall,
        parts: Sequence[_Part],
        kept: dict[str, SideChoice] | None = None,
    ) -> tuple[list[_Target], list[tuple[_Part, MergeResult]]]:
        """Write the merges of repositories, which moves nothing; returns them, or what conflicts."""
        targets: list[_Target] = []
        conflicts: list[tuple[_Part, MergeResult]] = []
        for part in parts:
            one = call.model_copy(update={"keeps": (kept or {}).get(part.name)})
            found = await self._target(one, part)
            if isinstance(found, _Target):
                targets.append(found)
            else:
                conflicts.append((part, found))
        return targets, conflicts

    async def _target(self, call: SettleCall, part: _Part) -> _Target | MergeResult:
        place = part.repository.place
        tip, known = await self._merges.look(place, call, part.commit)
        if known is not None:
            return _Target(part, tip, tip.oid, tip.tree)
        if call.is_linear and await self._merges.is_merged(place, tip.oid, part.commit):
            commit = (await self._commits.history(place, part.commit))[0]
            return _Target(part, tip, commit.oid, commit.tree)
        made = await self._merges.make(place, call, tip, part.commit)
        if isinstance(made, MergeCandidate):
            return _Target(part, tip, made.commit, made.tree)
        return made if made.commit is None else _Target(part, tip, tip.oid, tip.tree)

    async def _named(self, call: SettleCall, own: _Target, beside: Sequence[_Target]) -> _Target:
        """Return the merge in the thread's own repository, which names those beside."""
        place, spec = own.part.repository.place, call.workspace
        manifest = {each.part.name: each.commit for each in beside}
        if manifest == await self.places.manifest(spec, own.commit):
            return own
        parents = [own.tip.oid, own.part.commit] if own.is_new else [own.tip.oid]
        trailers = (*call.trailers, *trailers_of(manifest), (MERGE_TRAILER, call.key))
        message = message_of(call.title, trailers)
        commit = await self._commits.make(place, own.tree, parents, message)
        return _Target(own.part, own.tip, commit, own.tree)

    async def _move(self, call: SettleCall, targets: Sequence[_Target]) -> MergeResult | None:
        own, ref = targets[-1], f"refs/heads/{call.branch}"
        moved = [target for target in targets if target.is_new]
        if not moved:
            _, known = await self._merges.look(own.part.repository.place, call, own.part.commit)
            return known or MergeResult(commit=own.part.commit)
        for each in moved:
            swap = (each.tip.oid, each.commit)
            await self._merges.bring_along(each.part.repository, call.branch, swap)
        moves = [
            RefMove(
                repository=str(each.part.repository.root),
                ref=ref,
                old=each.tip.oid,
                new=each.commit,
            )
            for each in moved
        ]
        end = await self.moves.carry_out(call.key, moves)
        return MergeResult(commit=own.commit) if end is MovesEnd.MOVED else None


def _name(target: _Target) -> str:
    return target.part.name


def _versions(found: Sequence[tuple[_Part, MergeResult]]) -> str:
    """Return a name of what both sides have in all that conflicts."""
    if [part.name for part, _ in found] == [""]:
        return found[0][1].versions
    listed = "\0".join(f"{part.name} {result.versions}" for part, result in found)
    return sha256(listed.encode()).hexdigest()


def _files(part: _Part, files: Collection[str]) -> tuple[str, ...]:
    return named(part.name, files) if part.name else tuple(files)


def _conflict(found: Sequence[tuple[_Part, MergeResult]]) -> MergeResult:
    """Return what conflicts in all repositories, in the names that these files have in the thread's own."""
    notes = (
        f"{part.name}: {note}" if part.name else note
        for part, result in found
        for note in result.notes
    )
    return MergeResult(
        conflicts=tuple(name for part, result in found for name in _files(part, result.conflicts)),
        notes=tuple(notes),
        versions=_versions(found),
    )


def _kept_in(
    call: SettleCall, found: Sequence[tuple[_Part, MergeResult]]
) -> dict[str, SideChoice] | None:
    """Return whose version is kept in each repository; None unless a person was shown just this conflict."""
    keeps, whole = call.keeps, _conflict(found)
    if (
        keeps is None
        or keeps.files != whole.conflicts
        or keeps.versions not in ("", whole.versions)
    ):
        return None
    return {
        part.name: SideChoice(
            side=keeps.side, files=result.conflicts, versions=result.versions, tip=result.tip
        )
        for part, result in found
    }
