"""The repository of the demo: a copy of a small project of ours, with one commit."""

import asyncio
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from adapters.files.removal import remove_tree
from adapters.git.commands import Git, GitPlace
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError
from domain.threads.demo import FOLDER

PROJECT = Path(__file__).resolve().parents[2] / "templates" / "demo" / "repository"


class GitDemoRepositories:
    """The `DemoRepositories` port on git, below the data folder and nowhere else."""

    def __init__(self, spawner: Spawner, data_dir: Path) -> None:
        self._git = Git(spawner)
        self._folder = data_dir / FOLDER

    async def make(self, path: str) -> None:
        """Have the repository; one that is there is left as it is.

        It is made beside its place and put there whole, so a killed attempt leaves none in it.

        Raises:
            RepositoryError: The path is none of the demo's.
        """
        place = Path(path)
        if ".." in place.parts or place.parent.parent != self._folder:
            raise RepositoryError(f"{path} is no place of the demo: those are below {self._folder}")
        if (place / ".git").is_dir():
            return
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=place.parent))
        try:
            made = scratch / place.name
            await asyncio.to_thread(shutil.copytree, PROJECT, made)
            await self._commit(GitPlace(made))
            with suppress(OSError):  # another attempt was faster
                made.rename(place)
        finally:
            await asyncio.to_thread(remove_tree, scratch)

    async def _commit(self, place: GitPlace) -> None:
        await self._git.run(place, "init", "--quiet", "--initial-branch", "main")
        await self._git.run(place, "add", "--all")
        await self._git.run(place, "commit", "--quiet", "--message", "A shelf without a report")
