"""Pushes of a thread's branch: one commit to one branch of one remote, never forced.

This is the only git of Treadle's that reaches out. It uses the person's own configuration, for its
credential helpers and its ssh, and asks nothing: what would need an answer fails.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.remotes import remotes_of
from adapters.git.repositories import Repositories, Repository
from adapters.processes.command import Finished
from adapters.processes.spawner import Spawner
from domain.core.errors import RepositoryError
from domain.core.ref_moves import RefMove
from domain.forges.projects import project_of
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError, PushNotThroughError
from domain.threads.publishing.publication import PushedBranch, without_secrets

_LIMIT_SECONDS = 300.0
_REFUSED = (1, 128)
_WORDS = 500
_SHORT = 12
_CONFIRMS = "publish with --address"
_SILENT = {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"}
_PASSING = re.compile(
    r"could(n't| not) (resolve host|connect)|connection (timed out|refused|reset)|network is unreachable|timed out"
    r"|the remote end hung up|early EOF|RPC failed|temporary failure",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Outgoing:
    """What is pushed, and where git runs for it; `known` is the remote's address as people confirm it.

    `into` is a ref that is no branch, where one is pushed.
    """

    place: GitPlace
    pushed: PushedBranch
    known: str
    into: str = ""

    @property
    def ref(self) -> str:
        """What it is called on the remote."""
        return self.into or f"refs/heads/{self.pushed.branch}"

    @property
    def called(self) -> str:
        """What people are told of what is pushed."""
        return self.into or self.pushed.branch

    @property
    def where(self) -> str:
        """What people are told of the remote."""
        return f"{self.pushed.remote} ({self.pushed.address})"


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
        out = await self.outgoing(call)
        await self.send(out)
        return out.pushed

    async def outgoing(self, call: PushCall, confirms: str = _CONFIRMS) -> Outgoing:
        """Return what would be pushed to where; the network is not asked.

        `confirms` is what people are told to do if an address that has changed is right.

        Raises:
            RepositoryError: As `push`.
        """
        repository = await self._repositories.find(call.repository)
        remote, known = await self._remote(repository, call, confirms)
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
        tree = await self._git.line(place, "rev-parse", "--verify", f"{commit}^{{tree}}")
        outward = replace(place, environment={**place.environment, **self._environment})
        address = await self._own.line(outward, "remote", "get-url", "--push", "--", remote)
        pushed = PushedBranch(
            remote=remote,
            address=without_secrets(address),
            branch=call.branch,
            commit=commit,
            tree=tree,
            project=project_of(address),
        )
        return Outgoing(outward, pushed, known)

    async def outgoing_as(self, move: RefMove) -> Outgoing:
        """Return what a move that was written down pushes to where.

        Raises:
            RepositoryError: The remote has another address now.
        """
        call = PushCall(
            repository=move.repository,
            branch=move.ref.removeprefix("refs/heads/"),
            remote=move.remote,
            address=move.address,
        )
        out = await self.outgoing(call)
        return replace(out, pushed=out.pushed.model_copy(update={"commit": move.new, "tree": ""}))

    async def send(self, out: Outgoing, *options: str, source: str | None = None) -> None:
        """Push a branch's commit, or another `source` to the branch there; empty removes it.

        Raises:
            PushError: As `push`.
        """
        what = out.pushed
        source = what.commit if source is None else source
        done = await self._own.run(
            out.place,
            *("push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", *options),
            *("--recurse-submodules=no", "--", what.remote, f"{source}:{out.ref}"),
            accepts=(0, *_REFUSED, None),
            is_long=True,
        )
        if done.returncode != 0:
            raise self._failure(done, out.called, out.where)

    async def tip(self, out: Outgoing) -> str:
        """Return where the branch is on the remote that it is pushed to; empty where there is none.

        The commit is fetched where the repository has it not, so that it can be compared.

        Raises:
            PushError: The remote does not tell.
        """
        address = await self._asked_at(out)
        asked = await self._own.run(
            out.place,
            *("ls-remote", "--quiet", "--", address, out.ref),
            accepts=(0, *_REFUSED, None),
            is_long=True,
        )
        if asked.returncode != 0:
            raise self._failure(asked, out.called, out.where)
        found = asked.output.text().partition("\t")[0].strip()
        if found and not await self._has(out.place, found):
            await self._own.run(
                out.place,
                *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap="),
                *("--recurse-submodules=no", "--", address, out.ref),
                accepts=(0, *_REFUSED, None),
                is_long=True,
            )
        return found

    async def _asked_at(self, out: Outgoing) -> str:
        """Return what to ask for what is at the push address: the remote, if it fetches from there."""
        name = ("--", out.pushed.remote)
        pushes = await self._own.line(out.place, "remote", "get-url", "--push", *name)
        fetches = await self._own.line(out.place, "remote", "get-url", *name)
        return out.pushed.remote if fetches == pushes else pushes

    async def _has(self, place: GitPlace, commit: str) -> bool:
        asked = await self._git.run(place, "cat-file", "-e", commit, accepts=(0, *_REFUSED))
        return asked.returncode == 0

    async def _remote(
        self, repository: Repository, call: PushCall, confirms: str
    ) -> tuple[str, str]:
        """Return the remote to push to, named, `origin` or the only one, and its known address."""
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
                f"it, so nothing was pushed. If it is right, {confirms} {address}"
            )
        return name, address

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
