"""Git as it speaks with other hosts: with the credentials of the person, and without a question."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.processes.command import Finished
from adapters.processes.spawner import Spawner
from domain.core.errors import WorkspaceError
from domain.core.remote_errors import (
    RepositoryAccessError,
    RepositoryUnreachableError,
)
from domain.core.remote_repositories import SAFE_SCHEMES
from domain.threads.publishing.publication import without_secrets

LIMIT_SECONDS = 1500.0
"""How long a fetch or a push may take: shorter than the activity that waits for it."""

OUTCOMES = (0, 1, 2, 128, None)
_WORDS = 400
_SILENT = {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"}
_BATCH = "ssh -o BatchMode=yes"
_STALLED = ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60")
_REFUSED = re.compile(
    r"authentication failed|could not read (username|password)|permission denied|access denied"
    r"|terminal prompts disabled|host key verification failed|(error|code):? 40[13]|invalid (username|credentials)",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"repository .*not found|does not appear to be a git repository|(error|code):? 404|project .*could not be found"
    r"|not found: did you run git update-server-info",
    re.IGNORECASE,
)


class NetworkGit:
    """Runs git commands that reach another host."""

    def __init__(
        self,
        spawner: Spawner,
        environment: Mapping[str, str],
        schemes: Sequence[str] = SAFE_SCHEMES,
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        """Make a runner; `environment` is what git needs of the worker's, for ssh agents and such."""
        self._git = Git(spawner, limit_seconds=limit_seconds, is_personal=True)
        self._environment = {**environment, **_SILENT, "GIT_ALLOW_PROTOCOL": ":".join(schemes)}
        self._is_ssh_chosen: bool | None = None
        self._limit_seconds = limit_seconds

    async def run(self, git_dir: Path, url: str, *arguments: str, stdin: bytes = b"") -> Finished:
        """Run a command in a git folder; one that fails is the caller's to look at.

        Raises:
            RepositoryUnreachableError: It took too long.
            WorkspaceError: It was killed.
        """
        variables = {**self._environment, "GIT_DIR": str(git_dir)}
        if not await self._has_own_ssh(git_dir, variables):
            variables["GIT_SSH_COMMAND"] = _BATCH
        done = await self._git.run(
            GitPlace(git_dir, variables),
            *(*_STALLED, *arguments),
            stdin=stdin,
            accepts=OUTCOMES,
            is_long=True,
        )
        if done.is_timed_out:
            raise RepositoryUnreachableError(
                f"{url} did not answer within {self._limit_seconds:.0f} s"
            )
        if done.signal:
            raise WorkspaceError(f"git for {url} was ended by signal {done.signal}")
        return done

    def failure(
        self, done: Finished, url: str
    ) -> RepositoryAccessError | RepositoryUnreachableError:
        """Return the error of a command that failed for what the other side said, or did not say."""
        words = without_secrets(done.errors.strip())[-_WORDS:]
        if _REFUSED.search(words):
            return RepositoryAccessError(
                f"{url} refuses this host: {words}. Set up a credential helper of git, or an ssh key and "
                f"its known host, for the user that runs Treadle: `git ls-remote {url}` must work "
                "without a question"
            )
        if _MISSING.search(words):
            return RepositoryAccessError(
                f"there is no repository at {url}, or this host may not see it: {words}"
            )
        return RepositoryUnreachableError(f"{url} cannot be reached: {words}")

    async def _has_own_ssh(self, git_dir: Path, variables: Mapping[str, str]) -> bool:
        """Tell whether a person's configuration says how ssh is started."""
        if self._is_ssh_chosen is None:
            asked = await self._git.run(
                GitPlace(git_dir, variables), "config", "--get", "core.sshCommand", accepts=OUTCOMES
            )
            self._is_ssh_chosen = asked.returncode == 0
        return self._is_ssh_chosen
