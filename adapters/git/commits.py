"""Commits by Treadle: found by their trailer, made without hooks, counted against their base."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.git.commands import Git, GitPlace, fields
from adapters.git.index import Index, Staging
from adapters.git.judge_links import changed_through_links
from adapters.git.locks import clear_stale, remove_stale_lock
from adapters.git.manifests import Manifests, trailers_of
from adapters.git.pending_merges import PendingMerges
from adapters.git.submodules import Submodules
from adapters.git.worktree import Worktree
from domain.agents.protected import planted_among
from domain.core.errors import RepositoryError, WorkspaceError
from domain.core.workspaces import CommitSpec, Snapshot, WorkspaceKind, WorkspaceSpec, listed
from domain.verification.judges.names import MAX_JUDGES, judges_among

TURN_TRAILER = "Treadle-Turn"
MERGE_TRAILER = "Treadle-Merge"
SOURCE_TRAILER = "Treadle-Source"  # which commit a squashed or rebased one stands for
_SEARCHED_COMMITS = 200
_TITLE_LENGTH = 200
_NO_TITLE = "Work of an agent"


@dataclass(frozen=True)
class Commit:
    """A commit with its tree and the keys that its trailers carry."""

    oid: str
    tree: str
    turn_key: str = ""
    merge_key: str = ""
    parents: str = ""
    source: str = ""

    def is_merge_of(self, commit: str, key: str) -> bool:
        """Tell whether it is the merge of exactly this commit: a key alone may be of other work.

        So it is where a branch could not go back with a restored backup. A squashed or rebased one names it.
        """
        return self.merge_key == key and commit in (*self.parents.split(), self.source)


class Commits:
    """Reads and makes commits."""

    def __init__(self, git: Git, index: Index) -> None:
        self._git = git
        self._index = index
        self._submodules = Submodules(git, index)
        self._pending = PendingMerges(git)
        self._manifests = Manifests(git)

    async def history(self, place: GitPlace, ref: str) -> list[Commit]:
        """Return the newest commits of a ref along first parents, the newest first."""
        turn, merge, source = (
            f"%(trailers:key={key},valueonly,unfold,separator=%x1f)"
            for key in (TURN_TRAILER, MERGE_TRAILER, SOURCE_TRAILER)
        )
        form = "%x1e".join(("%H", "%T", turn, merge, "%P", source))
        log = await self._git.run(
            place,
            *("log", "-z", "--first-parent", "--no-show-signature", f"-n{_SEARCHED_COMMITS}"),
            *(f"--format={form}", "--end-of-options", ref, "--"),
        )
        return [Commit(*line.split("\x1e")) for line in fields(log.output.content())]

    async def of(self, place: GitPlace, name: str) -> str:
        """Return the commit that a branch or a commit's own name stands for.

        Raises:
            RepositoryError: There is none.
        """
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
            accepts=(0, 1),
        )
        if asked.returncode:
            raise RepositoryError(
                f"there is no commit or branch {name!r} in {place.cwd}: it was removed, or never "
                "was. Begin at another one"
            )
        return asked.output.text().strip()

    async def refuse_gone(self, place: GitPlace, ref: str, name: str) -> None:
        """Tell the failure of a command that no retry can fix: what it was given is no commit.

        Raises:
            RepositoryError: The ref does not exist, or is on no commit.
        """
        asked = await self._git.run(
            place,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"),
            accepts=(0, 1, 128),
        )
        if asked.returncode:
            raise RepositoryError(
                f"{name} is gone: make it again (`git branch NAME COMMIT`; `git reflog` and "
                "`git for-each-ref refs/treadle` list commits), then retry the task, or cancel it"
            )

    async def make(self, place: GitPlace, tree: str, parents: list[str], message: str) -> str:
        """Write a commit object; no ref moves, so doing it twice leaves only an unused object."""
        named = [part for parent in parents for part in ("-p", parent)]
        return await self._git.line(
            place, "commit-tree", *named, "-F", "-", tree, stdin=message.encode("utf-8", "replace")
        )

    async def is_at(self, worktree: Worktree, commit: str) -> bool:
        """Tell whether a worktree holds a commit's files and, but for ignored ones, no others."""
        wanted = await self._git.line(
            worktree.place, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}"
        )
        is_same = await self._index.stage(worktree) == wanted
        return is_same and not await self._submodules.altered(worktree, Staging.ALL)

    async def altered(self, worktree: Worktree, commit: str) -> tuple[str, ...]:
        """Return which files of a commit a worktree lacks or holds otherwise; more are fine."""
        tree = await self._index.stage(worktree, Staging.KNOWN)
        known = ("--diff-filter=a", "--end-of-options", commit, tree)
        below = await self._submodules.altered(worktree, Staging.KNOWN)
        return (*await self._differing(worktree, *known), *below)

    async def differing_from(self, worktree: Worktree, commit: str) -> tuple[str, ...]:
        """Return which files a worktree has more, less, or otherwise than a commit, without ignored ones."""
        tree = await self._index.stage(worktree)
        below = await self._submodules.altered(worktree, Staging.ALL)
        return (*await self._differing(worktree, "--end-of-options", commit, tree), *below)

    async def changed(self, worktree: Worktree, base: str) -> tuple[str, ...]:
        """Return the first 500 files that differ from the commit it began with; from its head where that is gone."""
        known = await self._git.run(
            worktree.place, "merge-base", "--end-of-options", base, "HEAD", accepts=(0, 1, 128)
        )
        start = known.output.text().strip() if known.returncode == 0 else "HEAD"
        return listed(await self.differing_from(worktree, start))

    async def _differing(self, worktree: Worktree, *trees: str) -> tuple[str, ...]:
        asked = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
        listed = await self._git.run(worktree.place, *asked, *trees)
        return tuple(fields(listed.output.content()))

    async def take_files_of(self, worktree: Worktree, commit: str) -> None:
        """Have a worktree hold a commit's files and, but for ignored ones, no others.

        Head and branch stay. What else was there is gone: it must be on a ref, or of no value.
        """
        await self._index.stage(worktree)
        await self._git.run(worktree.place, "read-tree", "--reset", "-u", commit, is_long=True)
        await self._submodules.update(worktree)

    async def commit(self, worktree: Worktree, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        """Commit all changes, once per key, onto the worktree's branch and the checkpoint ref.

        Raises:
            RepositoryError: The worktree's head, or its base, is on no commit any more.
        """
        await self._take_head_back(worktree, spec)
        await self._submodules.keep(worktree)
        try:
            history, base, tree = await self._read(worktree, spec)
        except WorkspaceError:
            await self.refuse_gone(worktree.place, "HEAD", f"the branch of {worktree.path}")
            await self.refuse_gone(worktree.place, spec.base, f"{spec.base!r}")
            raise
        head = history[0]
        known = next((c for c in history if c.turn_key == commit.key), None)
        if known is not None:
            before = history[history.index(known) + 1 :]
            since = before[0].oid if commit.is_of_turn and before else base
            found = await self._snapshot(worktree, known, since, is_changed=True)
            return await self._of_turn(worktree, found, before)
        is_ours = head.oid == base or bool(head.turn_key or head.merge_key)
        merged = await self._pending.parents(worktree.place, spec.merging, head.oid)
        is_moved = commit.beside != await self._manifests.of(worktree.place, head.oid, spec.beside)
        is_changed = tree != head.tree or bool(merged) or not is_ours or is_moved
        new = head
        if is_changed:
            trailers = (*commit.trailers, *trailers_of(commit.beside), (TURN_TRAILER, commit.key))
            message = message_of(commit.title, trailers)
            oid = await self.make(worktree.place, tree, [head.oid, *merged], message)
            new = Commit(oid, tree, turn_key=commit.key)
        await self._move(worktree, spec, commit.checkpoint_ref, (head.oid, new.oid))
        self._pending.end(worktree.admin)
        if merged and spec.kind is WorkspaceKind.CHAT:
            base = await self._base(worktree, spec, new.oid)  # where the branch was is in it now
        since = head.oid if commit.is_of_turn else base
        found = await self._snapshot(worktree, new, since, is_changed=is_changed)
        return await self._of_turn(worktree, found, history)

    async def _of_turn(
        self, worktree: Worktree, found: Snapshot, before: Sequence[Commit]
    ) -> Snapshot:
        """Return a snapshot with the files that its turn changed, also by commits of the agent's own."""
        previous = next((c.oid for c in before if c.turn_key or c.merge_key), found.base)
        if not found.is_changed or previous == found.base:
            return found
        names = await self._git.run(
            worktree.place,
            *("diff-tree", "-r", "-z", "--name-only", "--no-renames"),
            *("--end-of-options", previous, found.commit),
        )
        return found.model_copy(update={"turn_files": listed(fields(names.output.content()))})

    async def _read(self, worktree: Worktree, spec: WorkspaceSpec) -> tuple[list[Commit], str, str]:
        """Return what is on the branch, the base, and the tree of all that is there now."""
        staging = asyncio.ensure_future(self._index.stage(worktree))
        try:
            return await asyncio.gather(
                self.history(worktree.place, "HEAD"),
                self._base(worktree, spec, "HEAD"),
                staging,
            )
        finally:
            await asyncio.wait([staging])  # it would go on beside what comes after an error

    async def _base(self, worktree: Worktree, spec: WorkspaceSpec, commit: str) -> str:
        place = worktree.place
        return await self._git.line(place, "merge-base", "--end-of-options", spec.base, commit)

    async def _take_head_back(self, worktree: Worktree, spec: WorkspaceSpec) -> None:
        """Put a head that an agent switched back to where it belongs; files and index stay."""
        head = worktree.head
        if head is None:
            raise RepositoryError(
                f"the head of {worktree.path} is gone, its agent removed it: retry the task"
            )
        if spec.branch is not None and head != f"ref: refs/heads/{spec.branch}":
            await self._git.run(worktree.place, "symbolic-ref", "HEAD", f"refs/heads/{spec.branch}")
        elif spec.branch is None and head.startswith("ref:"):
            await self._git.run(worktree.place, "checkout", "--detach", "--quiet")

    async def _move(
        self, worktree: Worktree, spec: WorkspaceSpec, checkpoint: str, moved: tuple[str, str]
    ) -> None:
        """Move the branch (or detached head) and set the checkpoint, both or neither."""
        old, new = moved
        own = "HEAD" if spec.branch is None else f"refs/heads/{spec.branch}"
        for ref in (own, checkpoint):
            if ref != "HEAD":
                await remove_stale_lock(worktree.repository, ref)
        await clear_stale(worktree.admin / "HEAD.lock", worktree.folders)
        moves = f"update {checkpoint}\0{new}\0\0"
        if old != new:
            moves += f"update {own}\0{new}\0{old}\0"
        # without --no-deref a branch that an agent made symbolic would move what it points to
        await self._git.run(
            worktree.place, "update-ref", "--no-deref", "-z", "--stdin", stdin=moves.encode()
        )

    async def _snapshot(
        self, worktree: Worktree, commit: Commit, base: str, *, is_changed: bool
    ) -> Snapshot:
        snapshot = Snapshot(commit=commit.oid, tree=commit.tree, base=base, is_changed=is_changed)
        if commit.oid == base:
            return snapshot
        stat = await self._git.run(
            worktree.place,
            *("diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--no-ext-diff"),
            *("--end-of-options", base, commit.oid),
        )
        entries = fields(stat.output.content())
        raw = 2 * sum(entry.startswith(":") for entry in entries[::2])  # each with its file's name
        altered = [
            name
            for head, name in zip(entries[:raw:2], entries[1:raw:2], strict=True)
            if not head.endswith(" A")
        ]
        rows = [entry.split("\t", 2) for entry in entries[raw:]]
        names = [name for _, _, name in rows]
        through = await changed_through_links(self._git, worktree.place, commit.oid, names)
        judges = dict.fromkeys((*through, *judges_among(names)))
        return snapshot.model_copy(
            update={
                "files": listed(names),
                "file_count": len(rows),
                "planted": listed(planted_among(names)),
                "judges": listed(judges)[:MAX_JUDGES],
                "altered": listed(altered),
                # a binary file counts as "-"
                "insertions": sum(int(added) for added, _, _ in rows if added.isdecimal()),
                "deletions": sum(int(gone) for _, gone, _ in rows if gone.isdecimal()),
            }
        )


def message_of(title: str, trailers: tuple[tuple[str, str], ...]) -> str:
    """Return a commit message of one title and trailers; no text of an agent can forge a trailer."""
    subject = _one_line(title)[:_TITLE_LENGTH] or _NO_TITLE
    lines = [f"{name}: {_one_line(value)}" for name, value in trailers]
    return "\n".join((subject, "", *lines, ""))


def _one_line(text: str) -> str:
    return " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", text).split())
