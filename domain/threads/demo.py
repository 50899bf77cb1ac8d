"""The demo: what is asked of whom, where its repository lies below the data folder, who makes it."""

from typing import Protocol

AGENT = "scripted"
FOLDER = "demo"
REPOSITORY = "shelf"
GOAL = "Write the report of the shelf package"


class DemoRepositories(Protocol):
    """Makes the demo's small repositories."""

    async def make(self, path: str) -> None:
        """Have the repository at a path below the demo's folder; one that is there is left.

        Raises:
            RepositoryError: The path is none of the demo's.
        """
        ...
