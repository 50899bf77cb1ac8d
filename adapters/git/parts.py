"""Trees that are put together: a commit's files, with some as they are in other commits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.git.commands import Git, GitPlace
from adapters.git.trees import Trees, name_of
from domain.core.errors import RepositoryError

_Entries = dict[str, bytes]
"""Lines that put files into an index, by their names."""


@dataclass(frozen=True)
class Parts:
    """Work on a branch that is put together; moves nothing.

    `base` is the commit whose files it has, but for some that are as in other commits.
    """

    git: Git
    place: GitPlace
    branch: str
    base: str

    async def tree(self, parts: Mapping[str, Sequence[str]]) -> str:
        """Return the tree with files as they are in other commits, of each those that are named.

        Raises:
            RepositoryError: A file is in none of the commits, stands where another one has a folder, or
                conflicts with what the branch got since the commit was begun.
        """
        named = tuple(file for files in parts.values() for file in files)
        began = await self._begun(self.base)
        own, wanted, known = await self._entries(self.base, named), _Entries(), {*named}
        known.intersection_update(own.keys() | (await self._entries(began, named)).keys())
        for commit, files in parts.items():
            found = await self._entries(await self._source(began, commit, files), files)
            for file in files:
                if file not in found and file not in known:
                    raise RepositoryError(await self._words_of_missing(file, commit))
            wanted |= found
        gone = [_gone(self.base, file) for file in named if file in own and file not in wanted]
        tree = await self._written([*gone, *wanted.values()])
        await self._refuse_lost(tree, named, wanted)
        return tree

    async def _begun(self, commit: str) -> str:
        """Return where a commit left the branch, as far as it has what that got later."""
        return await self.git.line(
            self.place, "merge-base", "--end-of-options", self.branch, commit
        )

    async def _source(self, began: str, commit: str, files: Collection[str]) -> str:
        """Return where files of a commit are taken from: they keep what the branch got since it was begun."""
        common = await self._begun(commit)
        if common == began or await self._is_ancestor(began, common):
            return commit
        merged = await Trees(self.git).merge(self.place, began, commit)
        conflicts = {*map(name_of, merged.paths)}
        for file in files:
            if file in conflicts:
                raise RepositoryError(
                    f"{file!r} of {commit[:12]} conflicts with what was merged since that was begun: take "
                    "that work whole, and resolve the conflict there"
                )
        return merged.tree

    async def _is_ancestor(self, commit: str, of: str) -> bool:
        done = await self.git.run(
            self.place,
            *("merge-base", "--is-ancestor", "--end-of-options", commit, of),
            accepts=(0, 1),
        )
        return done.returncode == 0

    async def _written(self, lines: Sequence[bytes]) -> str:
        """Write a tree with changed entries; those that go come first: a file may stand where a folder was."""
        with TemporaryDirectory(prefix="treadle-index-") as folder:
            environment = {**self.place.environment, "GIT_INDEX_FILE": str(Path(folder, "index"))}
            apart = replace(self.place, environment=environment)
            await self.git.run(apart, "read-tree", self.base)
            await self.git.run(apart, "update-index", "-z", "--index-info", stdin=b"".join(lines))
            return await self.git.line(apart, "write-tree")

    async def _refuse_lost(self, tree: str, named: Sequence[str], wanted: _Entries) -> None:
        """Refuse a tree that lacks what was asked for, or files that nobody named.

        Git takes a file out of the index without a word where one of its name's folders comes in.
        """
        listed = await self.git.run(
            self.place,
            *("diff-tree", "-r", "-z", "--name-only", "--no-renames"),
            *("--end-of-options", self.base, tree),
        )
        changed = {_text(name) for name in listed.output.content().split(b"\0") if name}
        made = await self._entries(tree, named)
        odd = sorted(changed.difference(named)) or [
            f for f in named if made.get(f) != wanted.get(f)
        ]
        if odd:
            raise RepositoryError(
                f"{odd[0]!r} would be lost: a file stands where another one has a folder; name the files "
                "that go, too, or take one work whole"
            )

    async def _entries(self, commit: str, files: Sequence[str]) -> _Entries:
        """Return the entries of files in a commit, as an index reads them; those that are not there are left out."""
        return {
            path: line for path, kind, line in await self._listed(commit, files) if kind == b"blob"
        }

    async def _words_of_missing(self, file: str, commit: str) -> str:
        for each in (commit, self.base):
            kinds = {path: kind for path, kind, _ in await self._listed(each, (file,))}
            if kinds.get(file) == b"tree":
                return f"{file!r} is a folder in {each[:12]}: name the files in it"
            if file in kinds:
                return f"{file!r} is a submodule in {each[:12]}: take that work whole"
        return f"{file!r} is neither in {commit[:12]} nor in {self.base[:12]}"

    async def _listed(self, commit: str, files: Sequence[str]) -> list[tuple[str, bytes, bytes]]:
        listed = await self.git.run(
            self.place,
            *("--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", *files),
        )
        found: list[tuple[str, bytes, bytes]] = []
        for line in listed.output.content().split(b"\0"):
            about, _, path = line.partition(b"\t")
            if about:
                mode, kind, blob = about.split(b" ")
                found.append((_text(path), kind, b"%s %s\t%s\0" % (mode, blob, path)))
        return found


def _text(path: bytes) -> str:
    return path.decode(errors="surrogateescape")


def _gone(base: str, file: str) -> bytes:
    return b"0 %s\t%s\0" % (b"0" * len(base), file.encode(errors="surrogateescape"))
