"""Pushes of a thread's branch: one commit to one branch of one remote, never forced.

This is the only git of Treadle's that reaches out. It uses the person's own configuration, for its
credential helpers and its ssh, and asks nothing: what would need an answer fails.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from adapters.git.commands import Git
from adapters.git.remotes import remotes_of
from adapters.git.repositories import Repositories, Repository
from adapters.processes.command import Finished
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError, PushNotThroughError
from domain.threads.publishing.publication import PushedBranch, project_of, without_secrets

_LIMIT_SECONDS = 300.0
_REFUSED = (1, 128)
_WORDS = 500
_SHORT = 12
_SILENT = {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"}
_PASSING = re.compile(
    r"could(n't| not) (resolve host|connect)|connection (timed out|refused|reset)|network is unreachable|timed out"
    r"|the remote end hung up|early EOF|RPC failed|temporary failure",
    re.IGNORECASE,
)


class GitPushes:
    """The `Remotes` port on git."""

    def __init__(
        self,
        spawner: Spawner,
        data_dir: Path,
        environment: Mapping[str, str],
        limit_seconds: float = _LIMIT_SECONDS,
    ) -> None:
        """Make the port; `environment` is what git needs of the worker's, for ssh agents and such."""
        self._git = Git(spawner)
        self._own = Git(spawner, limit_seconds=limit_seconds, is_personal=True)
        self._repositories = Repositories(self._git, data_dir)
        self._environment = {**environment, **_SILENT}
        self._seconds = limit_seconds

    async def push(self, call: PushCall) -> PushedBranch:
        """Push the branch; what is there already is fine.

        Raises:
            RepositoryError: No such branch or remote, its address is not the known one, or the branch has
                moved since it was shown.
            PushError: The remote refuses; the message says why.
            PushNotThroughError: It does not answer: try again.
        """
        repository = await self._repositories.find(call.repository)
        remote = await self._remote(repository, call)
        place = repository.place
        commit = await self._git.line(
            place,
            *("rev-parse", "--verify", "--end-of-options", f"refs/heads/{call.branch}^{{commit}}"),
        )
        if call.commit and commit != call.commit:
            raise RepositoryError(
                f"{call.branch} is at {commit[:_SHORT]} now, not at {call.commit[:_SHORT]} as it was "
                "shown: nothing was pushed. Look at its changes again, then publish"
            )
        outward = replace(place, environment={**place.environment, **self._environment})
        address = await self._own.line(outward, "remote", "get-url", "--push", "--", remote)
        done = await self._own.run(
            outward,
            *("push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed"),
            *("--recurse-submodules=no", "--", remote, f"{commit}:refs/heads/{call.branch}"),
            accepts=(0, *_REFUSED, None),
            is_long=True,
        )
        if done.returncode != 0:
            raise self._failure(done, call.branch, f"{remote} ({without_secrets(address)})")
        return PushedBranch(
            remote=remote,
            address=without_secrets(address),
            branch=call.branch,
            commit=commit,
            project=project_of(address),
        )

    async def _remote(self, repository: Repository, call: PushCall) -> str:
        """Return the remote to push to: named, `origin`, or the only one; at its known address."""
        remotes = await remotes_of(self._git, repository.place)
        name = call.remote or ("origin" if "origin" in remotes else next(iter(remotes), ""))
        listed = ", ".join(remotes) or "none"
        if name not in remotes or (not call.remote and name != "origin" and len(remotes) > 1):
            wanted = f"no remote {call.remote!r}" if call.remote else "no remote to push to"
            raise RepositoryError(
                f"{repository.root} has {wanted}; it has: {listed}. Add one with `git remote add`, or "
                "name another one"
            )
        address = remotes[name]
        known = call.address or call.known.get(name, "")
        if address != known:
            before = f"was {known} when the thread was opened" if known else "came after the thread"
            raise RepositoryError(
                f"the address of remote {name!r} is {address}, which {before}: an agent can change "
                f"it, so nothing was pushed. If it is right, publish with --address {address}"
            )
        return name

    def _failure(self, done: Finished, branch: str, where: str) -> PushError:
        if done.is_timed_out:
            return PushNotThroughError(
                f"the push to {where} took longer than {self._seconds:.0f} s"
            )
        refused = [line for line in done.output.text().splitlines() if line.startswith("!")]
        reason = refused[0].rpartition("\t")[2] if refused else ""
        if "non-fast-forward" in reason or "fetch first" in reason:
            return PushError(
                f"{where} has commits on {branch} that are not here: nothing is forced. Merge them "
                "into the branch, or remove the branch there, then publish again"
            )
        words = without_secrets(done.errors.strip())[-_WORDS:]
        if reason:
            return PushError(f"{where} refuses {branch}: {reason} {words}".strip())
        if _PASSING.search(words):
            return PushNotThroughError(f"{where} does not answer: {words}")
        return PushError(
            f"git could not push to {where}: {words}. Try `git push` there yourself: it must work "
            "without a question"
        )
