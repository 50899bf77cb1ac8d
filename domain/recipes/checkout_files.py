"""What a proposal of a recipe is made from: a repository's own files, and what this host has."""

from collections.abc import Callable
from dataclasses import dataclass, field

READ = (
    *(".worktreeinclude", "conductor.json", ".conductor/settings.toml"),
    *(".superset/config.json", ".cursor/worktrees.json"),
    *(".devcontainer/devcontainer.json", ".devcontainer.json"),
    *(
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        "package.json",
        "Makefile",
        ".gitattributes",
    ),
    *("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"),
)
"""The files whose text says how a workspace is set up."""


@dataclass(frozen=True)
class CheckoutFiles:
    """A repository at a commit: its tracked paths, the text of those in READ, files that git ignores.

    `ignored` are paths in the user's checkout, folders with a '/' at their end. `has_program` tells
    whether the host has a program.
    """

    tracked: frozenset[str]
    texts: dict[str, str] = field(default_factory=dict[str, str])
    ignored: tuple[str, ...] = ()
    has_program: Callable[[str], bool] = lambda _name: True

    def has(self, *paths: str) -> bool:
        """Tell whether one of these is tracked."""
        return any(path in self.tracked for path in paths)

    def text(self, path: str) -> str:
        """Return a file's text, empty where there is none."""
        return self.texts.get(path, "")
