"""Files of Git LFS: their contents come from the user's repository, what it lacks is fetched once."""

import os
from dataclasses import replace

from adapters.git.commands import Git, GitPlace
from adapters.git.remotes import remotes_of
from adapters.git.repositories import Repository
from adapters.setup.means import SetUpMeans
from domain.recipes.errors import SetUpFailedError

_REMEMBERED = 500
_WORDS = 500


class Lfs:
    """Fetches as the user would: by their own configuration, asking nothing."""

    def __init__(self, git: Git, personal: Git, making: SetUpMeans | None) -> None:
        self._git = git
        self._personal = personal
        self._environment = {
            **(making.reaching if making else {}),
            "GIT_ASKPASS": "",
            "SSH_ASKPASS": "",
        }
        self._fetched: set[tuple[str, str]] = set()

    async def require(self, place: GitPlace) -> None:
        """Refuse to go on without git-lfs.

        Raises:
            SetUpFailedError: It is not installed; says what to do.
        """
        asked = await self._git.run(place, "lfs", "version", accepts=(0, 1, 128))
        if asked.returncode:
            raise SetUpFailedError(
                "the recipe has `lfs = true`, and git-lfs is not on PATH: install it (`apt install "
                "git-lfs`, `brew install git-lfs`), then retry (lfs_missing)"
            )

    async def fetch(self, repository: Repository, commit: str) -> None:
        """Have the contents of a commit's files in the repository.

        Raises:
            SetUpFailedError: git-lfs is not installed, or some are not here and cannot be fetched.
        """
        place = GitPlace(repository.root, guard=repository.place.guard)
        await self.require(place)
        if (repository.name, commit) in self._fetched:
            return
        if lacking := await self._lacking(repository, place, commit):
            await self._fetch(repository, place, commit, lacking)
        if len(self._fetched) >= _REMEMBERED:
            self._fetched.clear()
        self._fetched.add((repository.name, commit))

    async def _lacking(self, repository: Repository, place: GitPlace, commit: str) -> str:
        """Return the first file whose contents are not here, empty where all are."""
        listed = await self._git.run(place, "lfs", "ls-files", "--long", commit, is_long=True)
        objects = repository.common / "lfs" / "objects"
        for line in listed.output.content().splitlines():
            oid, _, rest = os.fsdecode(line).partition(" ")
            if not (objects / oid[:2] / oid[2:4] / oid).is_file():
                return rest[2:]
        return ""

    async def _fetch(
        self, repository: Repository, place: GitPlace, commit: str, lacking: str
    ) -> None:
        remotes = await remotes_of(self._git, repository.place)
        remote = "origin" if "origin" in remotes else next(iter(remotes), "")
        why = "there is no remote"
        if remote:
            outward = replace(place, environment={**place.environment, **self._environment})
            done = await self._personal.run(
                outward,
                *("lfs", "fetch", remote, commit),
                accepts=(0, 1, 2, 128, None),
                is_long=True,
            )
            if done.returncode == 0:
                return  # what the user's settings leave out stays as it is
            why = (done.errors or done.output.text()).strip()[-_WORDS:]
        raise SetUpFailedError(
            f"the contents of {lacking} are not in {repository.root} and git-lfs cannot fetch them: {why}. "
            "Run `git lfs fetch` there, then retry (lfs_not_fetched)"
        )
