"""Receipts as notes of commits, at `refs/notes/treadle`, here and on the remote that the commit was pushed to."""

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.pushes import GitPushes, Outgoing
from adapters.git.repositories import Repositories, Repository, lock_of
from adapters.processes.spawner import Spawner
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError, PushNotThroughError

NOTES = "refs/notes/treadle"
_NONE = (0, 1, 128)
_LIMIT_BYTES = 8 << 20
_MORE = 2


class GitNotes:
    """The `ReceiptNotes` port on git; without `pushes` notes stay on this host."""

    def __init__(self, spawner: Spawner, data_dir: Path, pushes: GitPushes | None = None) -> None:
        self._git = Git(spawner)
        self._repositories = Repositories(self._git, data_dir)
        self._data_dir = data_dir
        self._pushes = pushes

    async def keep(self, repository: str, commit: str, receipt: bytes) -> None:
        """Keep a receipt to the byte: as a blob, since a note's text would be tidied up."""
        found = await self._repositories.find(repository)
        place = found.place
        # `git notes` takes a full hash without looking whether there is such a commit
        await self._git.run(place, "cat-file", "-e", f"{commit}^{{commit}}")
        blob = await self._git.line(place, "hash-object", "-w", "--stdin", stdin=receipt)
        async with self._locked(found):
            if await self._blob(place, commit) == blob:
                return
            await self._git.run(
                place, "notes", f"--ref={NOTES}", "add", "--force", "--reuse-message", blob, commit
            )

    async def push(self, call: PushCall) -> None:
        """Push the notes to where the branch of a call was pushed; those of others there stay.

        Raises:
            RepositoryError: As for the branch; its remote has another address by now.
            PushError: The remote refuses.
            WorkspaceError: What is there are no notes.
        """
        if self._pushes is None:
            return
        whatever_is_there = call.model_copy(update={"commit": ""})  # it may have moved since
        out = replace(await self._pushes.outgoing(whatever_is_there), into=NOTES)
        async with self._locked(await self._repositories.find(call.repository)):
            await self._send(self._pushes, out)

    async def _send(self, pushes: GitPushes, out: Outgoing) -> None:
        """Push the notes, once more where somebody else was faster."""
        for _ in range(_MORE):
            theirs = await self._joined(pushes, out)
            try:
                return await pushes.send(out, source=NOTES)
            except PushNotThroughError:
                raise
            except PushError:
                if await pushes.tip(out) == theirs:
                    raise
        await self._joined(pushes, out)
        return await pushes.send(out, source=NOTES)

    async def _joined(self, pushes: GitPushes, out: Outgoing) -> str:
        """Merge the notes on the remote into those here, which win; returns where those are."""
        theirs = await pushes.tip(out)
        if theirs and not await self._contains(out.place, theirs):
            await self._git.run(
                out.place, "notes", f"--ref={NOTES}", "merge", "--quiet", "--strategy=ours", theirs
            )
        return theirs

    async def _contains(self, place: GitPlace, commit: str) -> bool:
        known = await self._git.run(
            place, "merge-base", "--is-ancestor", commit, NOTES, accepts=_NONE
        )
        return known.returncode == 0

    def _locked(self, repository: Repository) -> AbstractAsyncContextManager[None]:
        """Hold the notes: git adds to what it has read, and would lose what another adds meanwhile."""
        return lock_of(self._data_dir, f"{repository.name}.notes")

    async def tree(self, repository: str, commit: str) -> str | None:
        """Return the tree of a commit; None where the repository has no such commit."""
        place = (await self._repositories.find(repository)).place
        done = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{tree}}"),
            accepts=_NONE,
        )
        return done.output.text().strip() if done.returncode == 0 else None

    async def kept(self, repository: str, commit: str) -> bytes | None:
        """Return the receipt that is the note of a commit; None where it has none."""
        place = (await self._repositories.find(repository)).place
        blob = await self._blob(place, commit)
        if not blob:
            return None
        found = await self._git.run(
            place, "cat-file", "blob", blob, output_limit_bytes=_LIMIT_BYTES
        )
        return found.output.text().encode()

    async def _blob(self, place: GitPlace, commit: str) -> str:
        """Return the blob that is the note of a commit; empty where it has none."""
        asked = ("notes", f"--ref={NOTES}", "list", commit)
        done = await self._git.run(place, *asked, accepts=_NONE)
        return done.output.text().strip() if done.returncode == 0 else ""
