"""The agents that can be chosen: one YAML file each, ours under templates/agents/ and the user's."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from adapters.files.beneath import PathRefusedError, read_beneath
from adapters.files.frontmatter import MAX_BYTES, UnsafeYamlError, load_yaml
from domain.errors import InvalidError, UnknownAgentError
from domain.profiles import AgentProfile

BUILT_IN = Path(__file__).resolve().parents[2] / "templates" / "agents"


class AgentFiles:
    """Implements `AgentProfiles`; a user's file replaces ours of the same name.

    Files are read when asked for, so an edited profile holds from the next turn on.
    """

    def __init__(self, config_dir: Path | None = None, *, built_in: Path = BUILT_IN) -> None:
        self._folders = [built_in] if config_dir is None else [config_dir / "agents", built_in]

    def profile(self, name: str) -> AgentProfile:
        """Return one profile.

        Raises:
            UnknownAgentError: No such agent; the message lists the known ones.
            InvalidError: The file of the agent can't be read; the message says where and why.
        """
        path = dict(self._files()).get(name)
        if path is None:
            known = ", ".join(self.names())
            raise UnknownAgentError(f"there is no agent {name!r}; there are: {known}")
        try:
            # the user's own folder may hold links, as tools that keep such files in git make them
            file = path.resolve()
            raw = read_beneath(file.parent, file.name, MAX_BYTES)
            return AgentProfile.model_validate({"name": name, **load_yaml(raw)})
        except (PathRefusedError, RuntimeError, UnsafeYamlError, ValidationError) as error:
            raise InvalidError(f"the agent profile {path} can't be read: {error}") from error

    def names(self) -> list[str]:
        """Return the names of all agents, sorted."""
        return sorted(dict(self._files()))

    def litter(self) -> list[str]:
        """Return what the agents leave behind in a worktree, as patterns; broken profiles leave none."""
        patterns: set[str] = set()
        for name in self.names():
            with suppress(InvalidError):
                patterns.update(self.profile(name).litter)
        return sorted(patterns)

    def variables(self) -> set[str]:
        """Return the variables that the agents are given; broken profiles give none."""
        names: set[str] = set()
        for name in self.names():
            with suppress(InvalidError):
                names.update(self.profile(name).environment)
        return names

    def _files(self) -> Iterator[tuple[str, Path]]:
        for folder in reversed(self._folders):
            for path in sorted(folder.glob("*.yaml")):
                yield path.stem, path
