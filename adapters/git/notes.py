"""Receipts as notes of commits, at `refs/notes/treadle`; nothing is pushed."""

from pathlib import Path

from adapters.git.commands import Git
from adapters.git.repositories import Repositories
from adapters.processes.spawner import Spawner

NOTES = "refs/notes/treadle"
_NONE = (0, 1, 128)
_LIMIT_BYTES = 8 << 20


class GitNotes:
    """The `ReceiptNotes` port on git."""

    def __init__(self, spawner: Spawner, data_dir: Path) -> None:
        self._git = Git(spawner)
        self._repositories = Repositories(self._git, data_dir)

    async def keep(self, repository: str, commit: str, receipt: bytes) -> None:
        """Keep a receipt to the byte: as a blob, since a note's text would be tidied up."""
        place = (await self._repositories.find(repository)).place
        # `git notes` takes a full hash without looking whether there is such a commit
        await self._git.run(place, "cat-file", "-e", f"{commit}^{{commit}}")
        blob = await self._git.line(place, "hash-object", "-w", "--stdin", stdin=receipt)
        await self._git.run(
            place, "notes", f"--ref={NOTES}", "add", "--force", "--reuse-message", blob, commit
        )

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
        done = await self._git.run(
            place,
            *("notes", f"--ref={NOTES}", "list", commit),
            accepts=_NONE,
        )
        if done.returncode != 0:
            return None
        blob = done.output.text().strip()
        found = await self._git.run(
            place, "cat-file", "blob", blob, output_limit_bytes=_LIMIT_BYTES
        )
        return found.output.text().encode()
