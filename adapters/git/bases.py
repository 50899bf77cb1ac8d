"""The `Bases` port on git: a remote's branch is fetched to a hidden ref, and taken into a thread's branch.

It is fetched from the address that was known when the thread was opened, with the person's own credentials, and asks
nothing. No ref of the user's moves, and no file of the repository is touched: `refs/treadle/THREAD/base` holds it.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from adapters.git.base_records import BaseRecords
from adapters.git.commands import Git, GitPlace
from adapters.git.commits import Commits
from adapters.git.index import Index
from adapters.git.linear_merges import LinearMerges
from adapters.git.merges import Merges
from adapters.git.remotes import remotes_of
from adapters.git.repositories import Repositories, Repository
from adapters.git.worktrees import Worktrees
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError, WorkspaceError
from domain.core.workspaces import MergeCandidate, MergeResult
from domain.plans.templates.template import BaseUpdate
from domain.threads.bases.calls import BaseCall, BaseQuery
from domain.threads.bases.looks import BaseLook
from domain.threads.publishing.publication import without_secrets

LIMIT_SECONDS = 60.0
_OUTCOMES = (0, 1, 2, 128, None)
_WORDS = 300
_SILENT = {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"}
_PASSWORD = re.compile(r"https?://[^/@\s]*:[^/@\s]+@")
"""A web address with a password before its host."""

_STALLED = ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=30")


@dataclass(frozen=True)
class _Remote:
    """A remote that may be asked: by its name where it fetches from the known address, else by that."""

    name: str
    asked: str


class GitBases:
    """Fetches bases and merges them."""

    def __init__(
        self,
        spawner: Spawner,
        data_dir: Path,
        environment: Mapping[str, str],
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        """Make the port; `environment` is what git needs of the worker's, for ssh agents and such."""
        self._git = Git(spawner, data_dir / "litter")
        self._own = Git(spawner, limit_seconds=limit_seconds, is_personal=True)
        self._repositories = Repositories(self._git, data_dir)
        self._commits = Commits(self._git, Index(self._git))
        self._records = BaseRecords(self._git, self._commits)
        worktrees = Worktrees(self._git, self._repositories, data_dir)
        self._merges = Merges(self._git, self._commits, worktrees)
        self._linear = LinearMerges(self._git, self._commits)
        self._environment = {**environment, **_SILENT}
        self._seconds = limit_seconds

    async def look(self, query: BaseQuery) -> BaseLook:
        """Fetch a base and tell how far it has moved; see the port."""
        repository = await self._repositories.find(query.repository)
        place = repository.place
        tip = await self._tip(place, query.branch)
        tree = await self._git.line(place, "rev-parse", f"{tip}^{{tree}}")
        looked = BaseLook(base=query.base, tip=tip, tree=tree)
        remote = await self._remote(place, query)
        if isinstance(remote, str):
            return looked.model_copy(update={"note": remote})
        before = query.previous or await self._at(place, _hidden(query))
        note = await self._fetch(place, query, remote)
        commit = await self._known(place, query, remote)
        looked = looked.model_copy(update={"remote": remote.name, "note": note, "commit": commit})
        if not commit:
            return looked
        behind = await self._git.line(
            place, "rev-list", "--count", "--end-of-options", commit, f"^{tip}"
        )
        is_rewritten = bool(before) and not await self._is_in(place, before, commit)
        looked = looked.model_copy(update={"behind": int(behind), "is_rewritten": is_rewritten})
        return await self._records.with_taken(place, query, looked)

    async def begin(self, query: BaseQuery) -> BaseLook:
        """Fetch a base, and move a branch with nothing of its own to it; see the port."""
        look = await self.look(query)
        repository = await self._repositories.find(query.repository)
        if not look.behind or not await self._is_in(repository.place, look.tip, look.commit):
            return look
        async with self._repositories.lock(repository):
            moved = (look.tip, look.commit)
            result = await self._merges.move(repository, query.branch, moved)
        return look.model_copy(update={"behind": 0, "tip": look.commit}) if result else look

    async def update(
        self, call: BaseCall, look: BaseLook, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Take a base into the thread's branch, once; see the port."""
        repository = await self._repositories.find(call.repository)
        async with self._repositories.lock(repository):
            tip = await self._tip(repository.place, call.branch)
            if failure := await self._unrelated(repository.place, look, tip):
                return MergeResult(failure=failure)
            await self._records.note(repository.place, call, look, tip)
            if call.update is BaseUpdate.REBASE:
                rebased = await self._rebase(repository, call, look, tip, verified)
                if rebased is not None:
                    return rebased
            try:
                return await self._merges.merge(
                    repository, call.settling(look), look.commit, verified
                )
            except RepositoryError as error:
                return MergeResult(failure=error.message)

    async def _rebase(
        self,
        repository: Repository,
        call: BaseCall,
        look: BaseLook,
        tip: str,
        verified: Collection[str] | None,
    ) -> MergeResult | MergeCandidate | None:
        """Put the branch's commits on top of the base; None where only a merge can take it in."""
        since, sides = call.previous or look.commit, (look.commit, tip)
        made = await self._linear.replay(repository.place, sides, since=since)
        if made is None or (verified is not None and made.tree not in verified):
            return made
        await self._records.note(repository.place, call, look, tip, made.commit)
        return await self._merges.move(repository, call.branch, (tip, made.commit))

    async def _unrelated(self, place: GitPlace, look: BaseLook, tip: str) -> str:
        """Return why two commits cannot be merged, empty where they can."""
        asked = await self._git.run(
            place, "merge-base", "--end-of-options", tip, look.commit, accepts=(0, 1)
        )
        if asked.returncode == 0:
            return ""
        shallow = await self._git.line(place, "rev-parse", "--is-shallow-repository")
        what = f"{look.base} of {look.remote} has no commit in common with the thread's branch"
        if shallow == "true":
            return (
                f"{what} here: this is a shallow clone. Fetch the rest with `git fetch --unshallow`"
            )
        return f"{what}: its history was replaced. Begin a thread on the new one"

    async def _tip(self, place: GitPlace, branch: str) -> str:
        ref = f"refs/heads/{branch}"
        await self._commits.refuse_gone(place, ref, f"branch {branch}")
        return await self._git.line(place, "rev-parse", f"{ref}^{{commit}}")

    async def _remote(self, place: GitPlace, query: BaseQuery) -> _Remote | str:
        """Return the remote to ask, or why none is asked."""
        remotes = await remotes_of(self._git, place)
        name = query.remote or ("origin" if "origin" in remotes else next(iter(remotes), ""))
        if name not in remotes:
            return (
                f"there is no remote {name!r} any more" if name else "there is no remote any more"
            )
        if not query.remote and name != "origin" and len(remotes) > 1:
            return f"there are several remotes and none is called origin: {', '.join(remotes)}"
        if remotes[name] != query.known.get(name, ""):
            return (
                f"the address of remote {name!r} is not the one of when the thread was opened, and an agent "
                "can change it: nothing was fetched"
            )
        outward = self._outward(place)
        pushes = await self._own.line(outward, "remote", "get-url", "--push", "--", name)
        fetches = await self._own.line(outward, "remote", "get-url", "--", name)
        if _PASSWORD.match(pushes):
            return (
                f"the address of remote {name!r} has a password in it, which git would show in the process list: "
                "nothing was fetched. Take it out (`git remote set-url`) and set up a credential helper"
            )
        return _Remote(name, name if fetches == pushes else pushes)

    async def _fetch(self, place: GitPlace, query: BaseQuery, remote: _Remote) -> str:
        """Fetch a base to its hidden ref; returns why that was not done."""
        ref, outward = f"refs/heads/{query.base}", self._outward(place)
        asked = await self._own.run(
            outward,
            *(*_STALLED, "ls-remote", "--quiet", "--symref", "--", remote.asked, ref, "HEAD"),
            accepts=_OUTCOMES,
            is_long=True,
        )
        if asked.returncode != 0:
            return self._failure(remote, asked.errors, is_late=asked.is_timed_out)
        rows = [line.split("\t") for line in asked.output.text().splitlines() if "\t" in line]
        if all(name != ref for _, name in rows):
            return _gone(query.base, remote.name, rows)
        fetched = await self._own.run(
            outward,
            *(*_STALLED, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap="),
            *("--recurse-submodules=no", "--no-auto-gc", "--", remote.asked),
            f"+{ref}:{_hidden(query)}",
            accepts=_OUTCOMES,
            is_long=True,
        )
        if fetched.returncode != 0:
            return self._failure(remote, fetched.errors, is_late=fetched.is_timed_out)
        return ""

    def _failure(self, remote: _Remote, errors: str, *, is_late: bool) -> str:
        why = (
            f"it did not answer within {self._seconds:.0f} s"
            if is_late
            else without_secrets(" ".join(errors.split()))[-_WORDS:]
        )
        return f"{remote.name} was not fetched: {why}. Went on with what is here"

    async def _known(self, place: GitPlace, query: BaseQuery, remote: _Remote) -> str:
        """Return where the base was when it was fetched last, by us or by its user; empty where never."""
        fetched = await self._at(place, _hidden(query))
        return fetched or await self._at(place, f"refs/remotes/{remote.name}/{query.base}")

    async def _at(self, place: GitPlace, ref: str) -> str:
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"),
            accepts=(0, 1),
        )
        return asked.output.text().strip() if asked.returncode == 0 else ""

    async def _is_in(self, place: GitPlace, commit: str, other: str) -> bool:
        try:
            return await self._merges.is_merged(place, commit, other)
        except (WorkspaceError, RepositoryError):  # a shallow clone may have lost it
            return False

    def _outward(self, place: GitPlace) -> GitPlace:
        return replace(place, environment={**place.environment, **self._environment})


def _hidden(query: BaseQuery) -> str:
    return f"refs/treadle/{query.thread_id}/base"


def _gone(base: str, remote: str, rows: list[list[str]]) -> str:
    """Return that a branch is not on a remote, and what is the default there."""
    heads = (oid.removeprefix("ref: refs/heads/") for oid, _ in rows if oid.startswith("ref:"))
    default = next(heads, "")
    is_named = f"; its default branch is {default}" if default else ""
    return (
        f"{remote} has no branch {base} any more{is_named}: set prTarget. Went on with what is here"
    )
