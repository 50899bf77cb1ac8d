"""Lines of a person in a worktree's files, written where agents write, too."""

from collections.abc import Mapping, Sequence

from adapters.files.safe_open import PathRefusedError, safe_read, safe_write
from adapters.git.commands import Git
from adapters.git.commits import Commits
from adapters.git.worktree import Worktree
from domain.core.contents import MAX_TEXT_BYTES
from domain.core.errors import InvalidError, StaleError
from domain.core.suggestions import Suggestion, by_path, with_suggestions

_NAMED = 5
_PROGRAM = "100755"
_FILES = frozenset({"100644", _PROGRAM})


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
        wanted: dict[str, bytes] = {}
        programs: set[str] = set()
        for path, some in by_path(suggestions).items():
            mode, content = await self._file(worktree, commit, path)
            wanted[path] = with_suggestions(content, some).encode()
            programs |= {path} if mode == _PROGRAM else set()
        others = await self._others(worktree, commit, wanted)
        if others:
            more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
            raise StaleError(
                f"{', '.join(others[:_NAMED])}{more} changed since the work was committed: something "
                "still writes there. Nothing was applied; have the agent finish, or send the lines as feedback"
            )
        for path, content in wanted.items():
            try:
                is_program = path in programs
                safe_write(worktree.path, path, content, is_public=True, is_program=is_program)
            except PathRefusedError as error:
                raise StaleError(f"nothing was applied: {error}") from error

    async def _file(self, worktree: Worktree, commit: str, path: str) -> tuple[str, str]:
        """Return the mode and the text of a file of a commit.

        Raises:
            InvalidError: It is none, or no text.
        """
        listed = await self._git.run(
            worktree.place,
            *("--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", path),
        )
        mode, _, rest = listed.output.text().partition(" ")
        if mode not in _FILES:
            raise InvalidError(f"{path!r} is no file of commit {commit[:12]}")
        blob = rest.split()[1]
        if int(await self._git.line(worktree.place, "cat-file", "-s", blob)) > MAX_TEXT_BYTES:
            raise InvalidError(f"{path!r} is too large: at most {MAX_TEXT_BYTES >> 20} MiB")
        content = (await self._git.run(worktree.place, "cat-file", "blob", blob)).output.content()
        try:
            return mode, content.decode()
        except UnicodeDecodeError as error:
            raise InvalidError(f"{path!r} is no text in UTF-8") from error

    async def _others(
        self, worktree: Worktree, commit: str, wanted: Mapping[str, bytes]
    ) -> list[str]:
        """Return the files that differ from the commit's and are not what is wanted already."""
        differing = await self._commits.differing_from(worktree, commit)
        return [path for path in differing if not _is_written(worktree, path, wanted)]


def _is_written(worktree: Worktree, path: str, wanted: Mapping[str, bytes]) -> bool:
    if path not in wanted:
        return False
    try:
        return safe_read(worktree.path, path, len(wanted[path])) == wanted[path]
    except PathRefusedError:
        return False
