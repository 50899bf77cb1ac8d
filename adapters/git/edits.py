"""Lines of a person in a worktree's files, written where agents write, too."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from adapters.files.safe_open import PathRefusedError, safe_read, safe_write
from adapters.git.commands import Git
from adapters.git.commits import Commits
from adapters.git.locks import clear_stale, remove_stale_lock
from adapters.git.worktree import Worktree
from domain.core.contents import MAX_TEXT_BYTES
from domain.core.errors import InvalidError, StaleError
from domain.core.suggestions import Suggestion, by_path, with_suggestions

_NAMED = 5
_PROGRAM = "100755"
_FILES = frozenset({"100644", _PROGRAM})
_PLAIN = frozenset({"unspecified", "unset"})


@dataclass(frozen=True)
class _File:
    """A file as a commit has it."""

    content: bytes
    is_program: bool

    def write(self, worktree: Worktree, path: str, content: bytes) -> None:
        """Have a worktree hold another content of it."""
        program = self.is_program
        safe_write(worktree.path, path, content, is_public=True, is_program=program)

    def put_back(self, worktree: Worktree, path: str) -> None:
        """Have a worktree hold it again, where that can be."""
        with suppress(OSError):
            self.write(worktree, path, self.content)


class Edits:
    """Writes the files of a commit with suggested lines in them."""

    def __init__(self, git: Git, commits: Commits) -> None:
        self._git = git
        self._commits = commits

    async def apply(
        self, worktree: Worktree, commit: str, suggestions: Sequence[Suggestion]
    ) -> None:
        """Have a worktree hold a commit's files with the suggestions; done again, it is the same.

        What each file becomes follows from the commit alone. So where files differ from it already, they are what an
        attempt before wrote, or somebody else's, and then nothing is written.

        Raises:
            StaleError: Other files differ from the commit's: somebody writes there.
            InvalidError: A file is no text, or has no such lines.
        """
        files, wanted = await self._changes(worktree, commit, suggestions)
        await self._refuse_converted(worktree, wanted)
        others = await self._others(worktree, commit, wanted)
        if others:
            more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
            raise StaleError(
                f"{', '.join(others[:_NAMED])}{more} changed since the work was committed: something "
                "still writes there. Nothing was applied; have the agent finish, or send the lines as feedback"
            )
        with ExitStack() as written:
            for path, content in wanted.items():
                try:
                    files[path].write(worktree, path, content)
                except PathRefusedError as error:
                    raise StaleError(f"nothing was applied: {error}") from error
                written.callback(files[path].put_back, worktree, path)
            written.pop_all()

    async def take_back(
        self,
        worktree: Worktree,
        branch: str | None,
        commit: str,
        suggestions: Sequence[Suggestion],
        key: str,
    ) -> None:
        """Have a worktree and its branch as they were before lines were applied; may be done again.

        What somebody wrote meanwhile is left alone: a file of other content, a branch on another commit.
        """
        own = f"refs/heads/{branch}" if branch else "HEAD"
        head = (await self._commits.history(worktree.place, own))[0]
        if head.turn_key == key and head.parents == commit:
            if branch:
                await remove_stale_lock(worktree.repository, own)
            await clear_stale(worktree.admin / "HEAD.lock", worktree.folders)
            back = ("update-ref", "--no-deref", own, commit, head.oid)
            await self._git.run(worktree.place, *back)
        files, wanted = await self._changes(worktree, commit, suggestions)
        for path, file in files.items():
            if _is_written(worktree, path, wanted):
                file.write(worktree, path, file.content)

    async def _changes(
        self, worktree: Worktree, commit: str, suggestions: Sequence[Suggestion]
    ) -> tuple[Mapping[str, _File], Mapping[str, bytes]]:
        """Return the files of a commit that suggestions change, and what they become, by their paths.

        Raises:
            InvalidError: One is no text, or has no such lines.
        """
        files: dict[str, _File] = {}
        wanted: dict[str, bytes] = {}
        for path, some in by_path(suggestions).items():
            files[path] = await self._file(worktree, commit, path)
            text = _text_of(path, files[path].content)
            wanted[path] = with_suggestions(text, some).encode()
        return files, wanted

    async def _file(self, worktree: Worktree, commit: str, path: str) -> _File:
        """Return a file of a commit.

        Raises:
            InvalidError: It is none, or too large.
        """
        listed = await self._git.run(
            worktree.place,
            *("--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", path),
        )
        mode, _, rest = listed.output.text().partition(" ")
        if mode not in _FILES:
            raise InvalidError(f"{path!r} is not a file in commit {commit[:12]}")
        blob = rest.split()[1]
        if int(await self._git.line(worktree.place, "cat-file", "-s", blob)) > MAX_TEXT_BYTES:
            raise InvalidError(f"{path!r} is too large: at most {MAX_TEXT_BYTES >> 20} MiB")
        content = (await self._git.run(worktree.place, "cat-file", "blob", blob)).output.content()
        return _File(content, mode == _PROGRAM)

    async def _refuse_converted(self, worktree: Worktree, paths: Iterable[str]) -> None:
        """Refuse files that a worktree holds otherwise than a commit does: as their text git could not take them up.

        Raises:
            InvalidError: One is in another encoding there, or lies in Git LFS.
        """
        asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
        look = ("check-attr", "-z", "--stdin", "filter", "working-tree-encoding")
        told = (await self._git.run(worktree.place, *look, stdin=asked)).output.text().split("\0")
        for path, name, value in zip(told[0::3], told[1::3], told[2::3], strict=False):
            if name == "filter" and value == "lfs":
                raise InvalidError(f"{path!r} is stored in Git LFS: have the agent change it")
            if name == "working-tree-encoding" and value not in _PLAIN:
                raise InvalidError(f"{path!r} is written in {value}: have the agent change it")

    async def _others(
        self, worktree: Worktree, commit: str, wanted: Mapping[str, bytes]
    ) -> list[str]:
        """Return the files that differ from the commit's and are not what is wanted already."""
        differing = await self._commits.differing_from(worktree, commit)
        return [path for path in differing if not _is_written(worktree, path, wanted)]


def _text_of(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InvalidError(f"{path!r} is not UTF-8 text") from error


def _is_written(worktree: Worktree, path: str, wanted: Mapping[str, bytes]) -> bool:
    if path not in wanted:
        return False
    try:
        return safe_read(worktree.path, path, len(wanted[path])) == wanted[path]
    except PathRefusedError:
        return False
