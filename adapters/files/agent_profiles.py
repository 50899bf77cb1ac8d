"""The agents that can be chosen: a YAML file each, of the user, among ours, or in a repository."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from adapters.files.agent_file import BadProfileError, hash_of, read_profile
from adapters.files.frontmatter import MAX_BYTES
from adapters.files.safe_open import PathRefusedError, list_files, safe_create, safe_read
from adapters.files.template_scopes import top_of
from adapters.files.trusted_files import TrustedFiles
from domain.agents.errors import AgentNotTrustedError
from domain.agents.profiles import AgentProfile, Scope
from domain.core.errors import InvalidError, NotShownError, RepositoryError, UnknownAgentError

BUILT_IN = Path(__file__).resolve().parents[2] / "templates" / "agents"
FOLDER = ".treadle/agents"
"""Where a repository keeps agents."""

TRUSTED_AGENTS = "agent"
"""The kind of file that an agent's is, among those that a person trusts."""

MAX_FILES = 100
_SUFFIX = ".yaml"


@dataclass(frozen=True)
class FoundProfile:
    """An agent's file: a profile, or the problem with it.

    One of a repository may be used once it is trusted, and only where no other is known by its name.
    """

    name: str
    scope: Scope
    path: Path
    profile: AgentProfile | None = None
    problem: str = ""
    content_hash: str = ""
    is_trusted: bool = True
    is_hidden: bool = False


class AgentFiles:
    """Implements `AgentProfiles`; a user's file replaces ours of the same name, a repository's none.

    Files are read when asked for, so an edited profile holds from the next turn on.
    """

    def __init__(
        self,
        config_dir: Path | None = None,
        *,
        trusted: TrustedFiles | None = None,
        built_in: Path = BUILT_IN,
    ) -> None:
        self._built_in = built_in
        self._user = config_dir / "agents" if config_dir else None
        self._trusted = trusted

    def profile(self, name: str, repository: str | None = None) -> AgentProfile:
        """Return one profile; agents of a repository are known only with it.

        Raises:
            UnknownAgentError: No such agent; the message lists the known ones.
            AgentNotTrustedError: The repository brings it, and nobody has trusted it.
            InvalidError: The file of the agent can't be used; the message says where and why.
        """
        found = self.one(name, repository)
        if found.profile is None:
            raise InvalidError(f"the agent profile {found.path} can't be used: {found.problem}")
        if not found.is_trusted:
            raise AgentNotTrustedError(
                f"agent {name!r} comes with the repository ({found.path}), and nobody has trusted "
                f"it as it is now: look at it and trust it with `treadle agents trust {name}`"
            )
        return found.profile

    def one(self, name: str, repository: str | None = None) -> FoundProfile:
        """Return the file that counts for a name or an alias, sound or not, trusted or not.

        The user's agents and ours are found by either before any of a repository.

        Raises:
            UnknownAgentError: No such agent; the message lists the known ones.
        """
        for place in (None, repository):
            found = self._named(name, place) or self._aliased(name, place)
            if found is not None:
                return found
        known = ", ".join(self.names(repository))
        raise UnknownAgentError(f"there is no agent {name!r}; there are: {known}")

    def found(self, repository: str | None = None) -> list[FoundProfile]:
        """Return all files by name, the one that counts before those that it hides."""
        return sorted(self._every(repository), key=lambda file: file.name)

    def trust(self, name: str, repository: str, content_hash: str, by: str) -> None:
        """Let threads on a repository use an agent that it brings, as it was shown.

        Raises:
            UnknownAgentError: No such agent.
            InvalidError: It comes from elsewhere, or its file can't be used.
            NotShownError: Its file is not what was shown.
        """
        found = self.one(name, repository)
        if found.scope is not Scope.REPOSITORY or self._trusted is None:
            raise InvalidError(
                f"agent {name!r} is {found.scope}: only a repository's needs to be trusted"
            )
        if found.profile is None:
            raise InvalidError(f"the agent profile {found.path} can't be used: {found.problem}")
        if found.content_hash != content_hash:
            raise NotShownError(f"{found.path} is not what you were shown: look at it again")
        self._trusted.add(str(found.path), content_hash, by)

    def add(
        self, name: str, command: Sequence[str], *, title: str, environment: Sequence[str]
    ) -> None:
        """Write a profile of the user's own.

        Raises:
            InvalidError: The name is taken, or its file can't be written.
        """
        if self._user is None or name in self.names():
            raise InvalidError(f"there is an agent {name!r} already: choose another name")
        known = {"title": title, "command": list(command), "environment": list(environment)}
        text = yaml.safe_dump({k: v for k, v in known.items() if v}, sort_keys=False)
        try:
            read_profile(text.encode(), name, Scope.USER)
            self._user.mkdir(parents=True, exist_ok=True)
            safe_create(self._user.resolve(), f"{name}{_SUFFIX}", text.encode())
        except (BadProfileError, OSError) as error:
            raise InvalidError(f"the profile of {name!r} can't be written: {error}") from error

    def names(self, repository: str | None = None) -> list[str]:
        """Return the names of all agents, sorted."""
        return sorted({n for scope, f in self._folders(repository) for n in _names(scope, f)})

    def litter(self) -> list[str]:
        """Return what the agents leave behind in a worktree, as patterns; broken profiles leave none."""
        return sorted({p for each in self.found() if each.profile for p in each.profile.litter})

    def variables(self) -> set[str]:
        """Return the variables that the agents are given; broken profiles give none."""
        return {v for each in self.found() if each.profile for v in each.profile.environment}

    def _folders(self, repository: str | None) -> Iterator[tuple[Scope, Path]]:
        """Yield the folders of agents, the strongest first."""
        if self._user is not None:
            yield Scope.USER, self._user
        yield Scope.BUILT_IN, self._built_in
        if repository is not None:
            try:
                yield Scope.REPOSITORY, top_of(repository) / FOLDER
            except RepositoryError:
                return  # whoever works in it says so

    def _every(self, repository: str | None) -> list[FoundProfile]:
        """Return all files, the strongest scope first."""
        files: list[FoundProfile] = []
        for scope, folder in self._folders(repository):
            taken = {file.name for file in files}
            if scope is Scope.REPOSITORY:
                taken |= {alias for f in files if f.profile for alias in f.profile.aliases}
            read = [self._read(scope, folder, name) for name in _names(scope, folder)]
            files += [replace(f, is_hidden=f.name in taken) for f in read if f is not None]
        return files

    def _named(self, name: str, repository: str | None) -> FoundProfile | None:
        read = (self._read(scope, folder, name) for scope, folder in self._folders(repository))
        return next((file for file in read if file is not None), None)

    def _aliased(self, alias: str, repository: str | None) -> FoundProfile | None:
        """Return the file that counts for the name which an alias stands for.

        So one that replaces ours is known by the aliases of ours too.
        """
        for file in self._every(repository):
            is_replaced = file.is_hidden and file.scope is Scope.REPOSITORY
            if file.profile is not None and alias in file.profile.aliases and not is_replaced:
                return self._named(file.name, repository)
        return None

    def _read(self, scope: Scope, folder: Path, name: str) -> FoundProfile | None:
        """Return a file, None where there is none."""
        path = folder / f"{name}{_SUFFIX}"
        if name not in _names(scope, folder):
            return None
        found = FoundProfile(name, scope, path)
        try:
            raw = _raw(scope, folder, path)
        except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError in 3.11
            return replace(found, problem=str(error))
        digest = hash_of(raw)
        is_trusted = scope is not Scope.REPOSITORY or (
            self._trusted is not None and self._trusted.has(str(path), digest)
        )
        found = replace(found, content_hash=digest, is_trusted=is_trusted)
        try:
            return replace(found, profile=read_profile(raw, name, scope))
        except BadProfileError as error:
            return replace(found, problem=str(error))


def _names(scope: Scope, folder: Path) -> list[str]:
    if scope is not Scope.REPOSITORY:
        return sorted(path.stem for path in folder.glob(f"*{_SUFFIX}"))
    try:
        names = list_files(_root(folder), FOLDER, _SUFFIX)
    except PathRefusedError:
        return []
    return [name.removesuffix(_SUFFIX) for name in names[:MAX_FILES]]


def _raw(scope: Scope, folder: Path, path: Path) -> bytes:
    if scope is Scope.REPOSITORY:
        return safe_read(_root(folder), f"{FOLDER}/{path.name}", MAX_BYTES)
    # the user's own folder may hold links, as tools that keep such files in git make them
    file = Path(os.path.realpath(path))  # of links in a circle too, which then are not read
    return safe_read(file.parent, file.name, MAX_BYTES)


def _root(folder: Path) -> Path:
    return folder.parents[len(Path(FOLDER).parts) - 1]
