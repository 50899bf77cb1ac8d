"""The `Branches` port on git: what a thread's branch holds against where it began."""

from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.conflict_lines import read_conflict
from adapters.git.contents import read_content, refuse_foreign
from adapters.git.manifests import Manifests
from adapters.git.repositories import Repositories
from adapters.processes.spawner import Spawner
from domain.core.changes import BesideChanges, BranchChanges, ChangesQuery
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.contents import ContentQuery, FileContent
from domain.core.errors import RepositoryError

_NONE = (0, 1, 128)


class GitBranches:
    """Looks at branches; changes nothing, and touches no checkout."""

    def __init__(self, spawner: Spawner, data_dir: Path) -> None:
        self._git = Git(spawner)
        self._repositories = Repositories(self._git, data_dir)
        self._manifests = Manifests(self._git)

    async def compare(self, query: ChangesQuery) -> BranchChanges:
        """Return which commits are to be compared, and where the branch to merge into is.

        Raises:
            RepositoryError: The branch is gone, a commit is not of the thread, or the repository is not
                what is trusted.
        """
        place = (await self._repositories.find(query.repository)).place
        if query.commit:
            for commit in (query.since, query.commit):
                await refuse_foreign(self._git, place, query, commit)
            return BranchChanges(branch=query.branch, base=query.since, commit=query.commit)
        tip = await self._commit(place, f"refs/heads/{query.branch}")
        if query.session_id is not None:
            newest = await self._newest(place, query.session_id)
            return BranchChanges(
                branch=query.branch,
                base=await self._fork(place, tip or query.begins_at, newest) if newest else tip,
                commit=newest or tip,
            )
        if not tip:
            raise RepositoryError(
                f"branch {query.branch} is gone from {query.repository}: `git reflog` and `git "
                "for-each-ref refs/treadle` list its commits"
            )
        target = await self._commit(place, f"refs/heads/{query.target}") if query.target else ""
        base = query.begins_at or target or tip
        return BranchChanges(
            branch=query.branch,
            base=await self._fork(place, base, tip),
            commit=tip,
            target=query.target,
            target_commit=target,
            is_merged=bool(target) and await self._holds(place, target, tip),
            beside=await self._beside(query, tip),
        )

    async def _beside(self, query: ChangesQuery, tip: str) -> tuple[BesideChanges, ...]:
        """Return what a commit names in the repositories beside, and where their targets are."""
        own = (await self._repositories.find(query.repository)).place
        manifest = await self._manifests.of(own, tip, query.beside)
        found: list[BesideChanges] = []
        for one in query.beside:
            place = (await self._repositories.find(one.repository)).place
            target = one.head_branch or ""
            at = await self._commit(place, f"refs/heads/{target}") if target else ""
            found.append(
                BesideChanges(
                    name=one.name, commit=manifest[one.name], target=target, target_commit=at
                )
            )
        return tuple(found)

    async def conflict(self, query: ConflictQuery) -> ConflictLines:
        """Return the lines that two commits cannot be merged in.

        Raises:
            RepositoryError: One of them is gone, or the repository is not what is trusted.
        """
        repository = await self._repositories.find(query.repository)
        return await read_conflict(self._git, repository, query.ours, query.theirs)

    async def content(self, query: ContentQuery) -> FileContent:
        """Return a file as it is in a commit of a thread.

        Raises:
            RepositoryError: The thread has no such commit, or the repository is not what is trusted.
        """
        return await read_content(self._git, self._repositories, self._manifests, query)

    async def _commit(self, place: GitPlace, name: str) -> str:
        """Return the commit of a name; empty where there is none."""
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
            accepts=_NONE,
        )
        return asked.output.text().strip() if asked.returncode == 0 else ""

    async def _newest(self, place: GitPlace, session_id: str) -> str:
        """Return the newest checkpoint of a session; empty where it has none."""
        prefix = f"refs/treadle/{session_id}/"
        listed = await self._git.run(
            place, "for-each-ref", "--format=%(refname) %(objectname)", prefix
        )
        refs = (line.partition(" ") for line in listed.output.text().splitlines())
        numbered = {
            int(number): oid
            for ref, _, oid in refs
            if (number := ref.removeprefix(prefix)).isdecimal()
        }
        return numbered[max(numbered)] if numbered else ""

    async def _fork(self, place: GitPlace, base: str, commit: str) -> str:
        """Return the newest commit that two have in common; the first where there is none."""
        asked = await self._git.run(
            place, "merge-base", "--end-of-options", base, commit, accepts=_NONE
        )
        return asked.output.text().strip() if asked.returncode == 0 else base

    async def _holds(self, place: GitPlace, tip: str, commit: str) -> bool:
        asked = await self._git.run(
            place, "merge-base", "--is-ancestor", "--end-of-options", commit, tip, accepts=(0, 1)
        )
        return asked.returncode == 0
