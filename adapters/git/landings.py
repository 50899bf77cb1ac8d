"""Merges of finished branches into a person's own branch, and into the checkout that it is out in.

Git itself refuses what would lose anything there, as it does for the person. The branch moves last:
whatever kills a merge before, the next attempt goes on with what is in the checkout already.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from adapters.git.commands import Git, GitPlace, fields
from adapters.git.commits import message_of
from adapters.git.fingerprints import git_folders, read_limited
from adapters.git.merges import checkout_of
from adapters.git.repositories import Repositories, Repository
from adapters.git.trees import Trees
from adapters.git.worktree import read_head
from adapters.git.worktrees import Worktrees
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.threads.landing.calls import LandCall, LandingRefusedError

_MERGE = (
    *("-c", "submodule.recurse=false", "merge", "--ff-only", "--quiet", "--no-stat"),
    *("--no-autostash", "--no-overwrite-ignore", "--no-verify-signatures"),
)
_OUTCOMES = (0, 1, 2, 128)
_UNDER_WAY = ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")
_NAMED = 10
_SHORT = 12
_WORDS = 500


@dataclass(frozen=True)
class _Checkout:
    """A person's checkout that a branch is out in."""

    folder: Path
    place: GitPlace


class GitLandings:
    """The `Landings` port on git."""

    def __init__(self, spawner: Spawner, data_dir: Path, environment: Mapping[str, str]) -> None:
        """Make the port; a checkout is written as its person's own git would, by `environment`."""
        self._git = Git(spawner)
        self._own = Git(spawner, is_personal=True)
        self._repositories = Repositories(self._git, data_dir)
        self._worktrees = Worktrees(self._git, self._repositories, data_dir)
        self._trees = Trees(self._git)
        self._environment = environment

    async def land(self, call: LandCall) -> str:
        """Merge a branch and return where its target is; what was merged already is fine.

        Raises:
            LandingRefusedError: A branch has moved, they conflict, or a person's changes are in the way.
            RepositoryError: The repository is not what is trusted.
            WorkspaceError: Git failed otherwise.
        """
        repository = await self._repositories.find(call.repository)
        async with self._repositories.lock(repository):
            made = await self.plan(repository, call)
            return await self.bring(repository, call, made)

    async def plan(self, repository: Repository, call: LandCall) -> str:
        """Return where the target goes; where it is, if it has the commit. Nothing is moved.

        Raises:
            LandingRefusedError: A branch has moved, or they conflict.
        """
        place = repository.place
        target = await self.tip(place, call.target)
        if target and await self._holds(place, target, call.commit):
            return target
        _refuse_moved(call.target, target, call.target_commit)
        _refuse_moved(call.branch, await self.tip(place, call.branch), call.commit)
        return await self._make(place, call)

    async def bring(self, repository: Repository, call: LandCall, made: str) -> str:
        """Move the target to a commit, with the checkout that it is out in; returns that.

        Raises:
            LandingRefusedError: It has moved, or a person's changes are in the way.
        """
        place = repository.place
        if await self.tip(place, call.target) == made:
            return made
        checkout = self._checkout(repository, call.target)
        if checkout is None:
            await self._swap(place, call, made)
        else:
            await self._bring(checkout, call, made)
        target = await self.tip(place, call.target)
        if target != made:
            _refuse_moved(call.target, target, made)
        return made

    async def put_back(self, repository: Repository, call: LandCall, made: str) -> None:
        """Take the target back from a commit to where it was shown, with its checkout.

        Raises:
            LandingRefusedError: A person has changed what would change.
        """
        checkout = self._checkout(repository, call.target)
        if checkout is None:
            back = call.model_copy(update={"target_commit": made})
            await self._swap(repository.place, back, call.target_commit)
            return
        _refuse_moved(call.target, await self.tip(repository.place, call.target), made)
        done = await self._own.run(
            checkout.place,
            *("-c", "submodule.recurse=false", "reset", "--keep", "--quiet", call.target_commit),
            accepts=_OUTCOMES,
            is_long=True,
        )
        if done.returncode != 0:
            _refuse(checkout, done.errors)

    async def tip(self, place: GitPlace, branch: str) -> str:
        """Return where a branch is; empty where there is none."""
        name = f"refs/heads/{branch}^{{commit}}"
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", name),
            accepts=(0, 1, 128),
        )
        return asked.output.text().strip() if asked.returncode == 0 else ""

    async def _holds(self, place: GitPlace, tip: str, commit: str) -> bool:
        asked = await self._git.run(
            place,
            *("merge-base", "--is-ancestor", "--end-of-options", commit, tip),
            accepts=(0, 1, 128),
        )
        return asked.returncode == 0

    async def _make(self, place: GitPlace, call: LandCall) -> str:
        """Return the commit that the target goes to, written where it is none of the branch's own."""
        if await self._holds(place, call.commit, call.target_commit):
            return call.commit
        merged = await self._trees.merge(place, call.target_commit, call.commit)
        if merged.paths:
            raise LandingRefusedError(
                f"{call.branch} conflicts with {call.target} in {_list(merged.conflicts)}: nothing "
                f"was changed. Say `git merge {call.branch}` there and resolve it, or have a new thread do it"
            )
        title = f"Merge {call.branch} into {call.target}"
        return await self._git.line(
            place,
            *("commit-tree", "-p", call.target_commit, "-p", call.commit, "-F", "-", merged.tree),
            stdin=message_of(title, (("Treadle-Thread", call.thread_id),)).encode(),
        )

    def _checkout(self, repository: Repository, branch: str) -> _Checkout | None:
        """Return the one checkout that a branch is out in; refuse what a merge would confuse."""
        common = repository.common
        admins = (common, *sorted((common / "worktrees").glob("*")))
        for admin in admins:
            _refuse_under_way(admin, branch)
        found = [admin for admin in admins if read_head(admin) == f"ref: refs/heads/{branch}"]
        if not found:
            return None
        admin = found[0]
        if len(found) > 1 or self._worktrees.own(repository, admin) is not None:
            raise LandingRefusedError(
                f"{branch} is checked out in more than one place, or in a worktree of Treadle's: "
                "`git worktree list` tells where; leave it checked out in your own only"
            )
        folder = _folder_of(repository, admin)
        if folder is None or git_folders(folder)[0] != admin.resolve():
            raise LandingRefusedError(
                f"{branch} is checked out in a folder that is not there ({admin}): see `git worktree "
                "list`, then `git worktree prune`"
            )
        names = {"GIT_DIR": str(admin), "GIT_COMMON_DIR": str(common), "GIT_WORK_TREE": str(folder)}
        linked = None if admin == common else admin
        guard = partial(repository.trust.check, repository.root, linked)
        return _Checkout(folder, GitPlace(folder, {**self._environment, **names}, guard))

    async def _swap(self, place: GitPlace, call: LandCall, made: str) -> None:
        """Move a branch that is checked out nowhere."""
        swap = await self._git.run(
            place,
            *("update-ref", "--no-deref", "-m", f"merge {call.branch}"),
            *(f"refs/heads/{call.target}", made, call.target_commit),
            accepts=(0, 1, 128),
        )
        if swap.returncode != 0:
            _refuse_moved(call.target, await self.tip(place, call.target), call.target_commit)
            raise WorkspaceError(f"git could not move {call.target}: {swap.errors[-_WORDS:]}")

    async def _bring(self, checkout: _Checkout, call: LandCall, made: str) -> None:
        """Move a branch with the checkout that it is out in, by git's own rules for it."""
        plainly = ("-c", f"branch.{call.target}.mergeoptions=")
        for is_again in (False, True):
            done = await self._own.run(
                checkout.place, *plainly, *_MERGE, made, accepts=_OUTCOMES, is_long=True
            )
            if done.returncode == 0:
                return
            listed = [line[1:] for line in done.errors.splitlines() if line.startswith("\t")]
            if not listed or is_again:
                _refuse(checkout, done.errors)
            known = await self._as_merged(checkout, call.target_commit, made)
            if left := [name.rstrip("/") for name in listed if name not in known]:
                raise LandingRefusedError(
                    f"{checkout.folder} has changes or files of yours where the merge writes: "
                    f"{_list(left)}. Nothing was changed: commit, stash or move them, then merge again"
                )
            # an attempt that was killed left these; git takes them for the person's unless they are staged
            names = b"".join(os.fsencode(name) + b"\0" for name in listed)
            await self._own.run(
                checkout.place, "update-index", "--add", "--remove", "-z", "--stdin", stdin=names
            )

    async def _as_merged(self, checkout: _Checkout, old: str, new: str) -> set[str]:
        """Return which files that a merge changes are in a checkout as it leaves them."""
        place = checkout.place
        changed = await self._git.run(
            place, "diff-tree", "-r", "-z", "--no-renames", "--name-only", old, new, is_long=True
        )
        with TemporaryDirectory(prefix="treadle-index-") as folder:
            environment = {**place.environment, "GIT_INDEX_FILE": str(Path(folder, "index"))}
            apart = replace(place, environment=environment)
            await self._own.run(apart, "read-tree", new)
            await self._own.run(
                apart, "update-index", "-q", "--refresh", accepts=(0, 1), is_long=True
            )
            differ = await self._own.run(
                apart, "diff-files", "-z", "--name-only", "--no-renames", is_long=True
            )
            held = await self._own.run(apart, "ls-files", "-z")
        present = set(fields(held.output.content()))
        same = set(fields(changed.output.content())) - set(fields(differ.output.content()))
        return {n for n in same if n in present or not _is_there(checkout.folder / n)}


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)


def _folder_of(repository: Repository, admin: Path) -> Path | None:
    """Return the checkout of a git folder; None where there is none."""
    if admin != repository.common:
        folder = checkout_of(admin)
    elif git_folders(repository.root)[0] == admin:
        folder = repository.root
    else:
        folder = admin.parent
    return folder if folder.is_dir() else None


def _refuse_under_way(admin: Path, branch: str) -> None:
    for name in _UNDER_WAY:
        ref = os.fsdecode(read_limited(admin / name) or b"").strip()
        if ref.removeprefix("refs/heads/") == branch:
            raise LandingRefusedError(
                f"a rebase or bisect of {branch} is under way in {checkout_of(admin)}: end it, then "
                "merge again"
            )


def _refuse_moved(branch: str, found: str, shown: str) -> None:
    """Refuse what is not where a person saw it."""
    if not found:
        raise LandingRefusedError(f"the branch {branch} is gone: `git reflog` lists its commits")
    if found != shown:
        raise LandingRefusedError(
            f"{branch} has moved since you looked: it is at {found[:_SHORT]}, not {shown[:_SHORT]}. "
            "Look at the changes again, then merge"
        )


def _refuse(checkout: _Checkout, errors: str) -> NoReturn:
    """Tell why git did not merge into a checkout."""
    if "index.lock" in errors:
        raise WorkspaceError(
            f"another git is at work in {checkout.folder}, or one was killed there: when none is, "
            f"remove index.lock from its git folder, then merge again: {errors.strip()[-_WORDS:]}"
        )
    raise LandingRefusedError(
        f"git does not merge into {checkout.folder}: {errors.strip()[-_WORDS:]}"
    )


def _list(names: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
