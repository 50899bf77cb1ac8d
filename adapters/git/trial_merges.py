"""Trial merges: would pieces of work conflict if they were merged now? Nothing of them is kept."""

import logging
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from adapters.git.commands import Git, GitPlace
from adapters.git.repositories import Repository
from adapters.git.trees import Trees, apart
from domain.core.errors import RepositoryError, WorkspaceError
from domain.core.workspaces import Collision, Work

_TRIALS = 32
_FILES = 20
_REMEMBERED = 2000

logger = logging.getLogger(__name__)


class TrialMerges:
    """Merges in a folder of objects of its own; a pair of commits is merged once."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._trees = Trees(git)
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    async def collisions(
        self, repository: Repository, work: Work, others: Sequence[Work]
    ) -> tuple[Collision, ...]:
        """Return with which of the others a piece of work would conflict; at most 32 are tried."""
        found: list[Collision] = []
        with TemporaryDirectory(prefix="treadle-trial-") as folder:
            place = apart(repository.place, repository.common, folder)
            for other in others[:_TRIALS]:
                commit = await self._resolved(place, other.commit)
                files = await self._files(place, commit, work.commit) if commit else ()
                if files:
                    found.append(Collision(first=other.name, second=work.name, files=files))
        return tuple(found)

    async def _resolved(self, place: GitPlace, name: str) -> str:
        """Return the commit of a branch's name, or a commit as it is; empty for no such branch."""
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
            accepts=(0, 1, 128),
        )
        return asked.output.text().strip()

    async def _files(self, place: GitPlace, ours: str, theirs: str) -> tuple[str, ...]:
        pair = (min(ours, theirs), max(ours, theirs))
        if pair not in self._known:
            try:
                merged = await self._trees.merge(place, *pair)
            except (RepositoryError, WorkspaceError) as error:
                # a commit that is gone is told where it is merged; a trial has no more to say
                logger.warning("a trial merge was left out", extra={"reason": error.message})
                return ()
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[pair] = merged.conflicts[:_FILES]
        return self._known[pair]
