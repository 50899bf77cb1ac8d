"""Refs of several repositories moved as one: written down first, and brought to an end after a kill.

The rules are in `domain/core/ref_moves.py`. Each act is a compare-and-swap of one ref, so whoever does it a
second time does nothing.
"""

import hashlib
import logging
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from adapters.git.commands import Git, GitPlace
from adapters.git.locks import remove_stale_lock
from adapters.git.repositories import Repositories, Repository
from domain.core.errors import RepositoryError, WorkspaceError
from domain.core.ref_moves import (
    Direction,
    End,
    Move,
    MovesEnd,
    Position,
    PutBack,
    RefMove,
    TurnBack,
    WrittenMoves,
    next_act,
)

_REFUSED = (0, 1, 128)

logger = logging.getLogger(__name__)


class RefMoves:
    """Moves of refs, in files of a folder of the data folder while they are under way."""

    folder = "moves"

    def __init__(self, git: Git, repositories: Repositories, data_dir: Path) -> None:
        self._git = git
        self._repositories = repositories
        self._folder = data_dir / self.folder

    @asynccontextmanager
    async def locked(self, repositories: Sequence[Repository]) -> AsyncGenerator[None]:
        """Hold the locks of repositories, always in the same order, so that no two wait for each other."""
        each = {repository.name: repository for repository in repositories}
        async with AsyncExitStack() as stack:
            for _, repository in sorted(each.items()):
                await stack.enter_async_context(self._repositories.lock(repository))
            yield

    async def carry_out(self, key: str, moves: Sequence[RefMove]) -> MovesEnd:
        """Make all of the moves, or none; the caller holds the locks of their repositories."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self._file(key)
        written = WrittenMoves(key=key, moves=tuple(moves))
        write_atomic(file, written.model_dump_json(), is_durable=True)
        return await self._bring_to_end(file, written)

    def is_left(self, key: str) -> bool:
        """Tell whether moves are half made that could not be brought to an end."""
        return self._file(key).exists()

    async def recover_one(self, key: str) -> None:
        """Bring to an end what a killed worker left of these moves."""
        await self._recover(self._file(key))

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"

    async def make(
        self, ref: str, repositories: Sequence[Repository], commits: Sequence[str]
    ) -> MovesEnd:
        """Make a ref in all of the repositories, or in none; one that is there is left where it is."""
        pairs = zip(repositories, commits, strict=True)
        moves = [
            RefMove(repository=str(each.root), ref=ref, old="", new=commit)
            for each, commit in pairs
            if not await self._tip(each.place, ref)
        ]
        return await self.carry_out(ref, moves) if moves else MovesEnd.MOVED

    async def recover(self) -> None:
        """Bring to an end what a killed worker left; what is under way elsewhere is waited for.

        What is of a repository that is gone or not trusted stays as it is, and is told in the log.
        """
        for file in sorted(self._folder.glob("*.json")):
            try:
                await self._recover(file)
            except (RepositoryError, WorkspaceError, ValidationError, OSError) as error:
                logger.warning(
                    "moves stay half made", extra={"file": str(file), "reason": str(error)}
                )

    async def _recover(self, file: Path) -> None:
        written = _read(file)
        if written is None:
            return
        found = [await self._repositories.find(move.repository) for move in written.moves]
        async with self.locked(found):
            # whoever held the locks may have ended it
            if (still := _read(file)) is not None:
                await self._bring_to_end(file, still)

    async def _bring_to_end(self, file: Path, written: WrittenMoves) -> MovesEnd:
        refused: set[tuple[str, str]] = set()
        while True:
            positions = [await self._position(move, refused) for move in written.moves]
            match next_act(written, positions):
                case Move(move):
                    if not await self.swap(move, move.old, move.new):
                        refused.add((move.repository, move.old))
                case PutBack(move):
                    if not await self.swap(move, move.new, move.old):
                        refused.add((move.repository, move.new))
                case TurnBack():
                    written = written.model_copy(update={"direction": Direction.BACK})
                    write_atomic(file, written.model_dump_json(), is_durable=True)
                case End(end):
                    _forget(file)
                    return end

    async def _position(self, move: RefMove, refused: Collection[tuple[str, str]]) -> Position:
        place = (await self._repositories.find(move.repository)).place
        at = await self.tip_of(move)
        if at == move.old:
            is_stuck = (move.repository, at) in refused
            return Position.ELSEWHERE if is_stuck else Position.BEFORE
        if at == move.new:
            return Position.BEYOND if (move.repository, at) in refused else Position.AFTER
        has_new = at and await self._git.run(
            place,
            *("merge-base", "--is-ancestor", "--end-of-options", move.new, at),
            accepts=_REFUSED,
        )
        return Position.BEYOND if has_new and has_new.returncode == 0 else Position.ELSEWHERE

    async def tip_of(self, move: RefMove) -> str:
        """Return where the ref of a move is; empty where there is none."""
        place = (await self._repositories.find(move.repository)).place
        return await self._tip(place, move.ref)

    async def _tip(self, place: GitPlace, ref: str) -> str:
        """Return where a ref is; empty where there is none."""
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", ref),
            accepts=_REFUSED,
        )
        return asked.output.text().strip() if asked.returncode == 0 else ""

    async def swap(self, move: RefMove, old: str, new: str) -> bool:
        """Move a ref if it is where it should be; an empty commit stands for no ref."""
        repository = await self._repositories.find(move.repository)
        await remove_stale_lock(repository, move.ref)
        change = (move.ref, new, old) if new else ("-d", move.ref, old)
        done = await self._git.run(
            repository.place, "update-ref", "--no-deref", *change, accepts=_REFUSED
        )
        return done.returncode == 0


def _forget(file: Path) -> None:
    file.unlink(missing_ok=True)


def _read(file: Path) -> WrittenMoves | None:
    try:
        return WrittenMoves.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
