"""The commits that bring work into a branch: a merge, one squashed commit, or the work's own replayed on top.

What was squashed or replayed is in no history of the branch. So its commits name those that they stand for
(`Treadle-Source`), and the merge is found again by its key as any other. Their subjects come from the work, all
else is Treadle's own: no text of an agent gets to where trailers are read.
"""

from adapters.git.commands import Git, GitPlace
from adapters.git.commits import MERGE_TRAILER, SOURCE_TRAILER, Commits, message_of
from adapters.git.trees import Trees
from domain.core.workspaces import MergeCandidate
from domain.forges.pull_requests import MergeMethod
from domain.threads.calls import SettleCall

MAX_REPLAYED = 200
"""Work of more commits than this is squashed."""

_ONE_PARENT = 2
"""How many ids a line of a commit with one parent has."""

MAX_LOOKED_AT = 100
"""How many of a branch's newest commits are looked at for work that was squashed into them."""


class LinearMerges:
    """Writes the commits of merges; moves nothing."""

    def __init__(self, git: Git, commits: Commits) -> None:
        self._git = git
        self._commits = commits
        self._trees = Trees(git)

    async def land(
        self, place: GitPlace, call: SettleCall, sides: tuple[str, str], tree: str
    ) -> MergeCandidate:
        """Write what brings a commit onto a tip, both in `sides`; `tree` is what merging them gives.

        Work that cannot be replayed is squashed: it has merges or more than 200 commits, conflicts on the way,
        or a person chose between versions.
        """
        tip, commit = sides
        if call.method is MergeMethod.MERGE:
            message = message_of(call.title, (*call.trailers, (MERGE_TRAILER, call.key)))
            made = await self._commits.make(place, tree, [tip, commit], message)
            return MergeCandidate(commit=made, tree=tree)
        if call.method is MergeMethod.REBASE and call.keeps is None:
            replayed = await self.replay(place, sides, last=(*call.trailers, *_named(call)))
            if replayed is not None:
                return replayed
        trailers = (*call.trailers, (SOURCE_TRAILER, commit), *_named(call))
        made = await self._commits.make(place, tree, [tip], message_of(call.title, trailers))
        return MergeCandidate(commit=made, tree=tree)

    async def replay(
        self,
        place: GitPlace,
        sides: tuple[str, str],
        since: str = "",
        last: tuple[tuple[str, str], ...] = (),
    ) -> MergeCandidate | None:
        """Write the commits of a branch again on top of a tip; None where that cannot be done without a person.

        `since` is what is left out, else what the tip has; `last` are trailers of the last one. With `since` the
        commits are Treadle's own, and keep their messages: what they stand for is in these.
        """
        tip, commit = sides
        listed = await self._git.run(
            place,
            *(
                "rev-list",
                "--reverse",
                "--topo-order",
                "--parents",
                f"--max-count={MAX_REPLAYED + 1}",
            ),
            *("--end-of-options", commit, f"^{since or tip}"),
        )
        rows = [line.split() for line in listed.output.text().splitlines()]
        if not rows or len(rows) > MAX_REPLAYED or any(len(row) != _ONE_PARENT for row in rows):
            return None
        head, tree = tip, await self._tree_of(place, tip)
        for old, parent in rows:
            merged = await self._pick(place, parent, (tree, old))
            if merged is None:
                return None
            if merged == tree and old != commit:
                continue  # it is there already
            trailers = ((SOURCE_TRAILER, old), *(last if old == commit else ()))
            message = await self._message(place, old, None if since else trailers)
            head = await self._commits.make(place, merged, [head], message)
            tree = merged
        return MergeCandidate(commit=head, tree=tree)

    async def _message(
        self, place: GitPlace, old: str, trailers: tuple[tuple[str, str], ...] | None
    ) -> str:
        """Return the message of a replayed commit: its own, or its subject with trailers."""
        form = "%B" if trailers is None else "%s"
        shown = ("log", "-1", "--no-show-signature", f"--format={form}", "--end-of-options", old)
        words = await self._git.line(place, *shown)
        return f"{words}\n" if trailers is None else message_of(words, trailers)

    async def _pick(self, place: GitPlace, parent: str, onto: tuple[str, str]) -> str | None:
        """Return the tree with a commit's change on top of a tree; None where they conflict.

        The three trees get commits that say which is the base: older git cannot be told otherwise.
        """
        tree, commit = onto
        base = await self._commits.make(place, await self._tree_of(place, parent), [], "base")
        ours = await self._commits.make(place, tree, [base], "ours")
        changed = await self._tree_of(place, commit)
        theirs = await self._commits.make(place, changed, [base], "theirs")
        merged = await self._trees.merge(place, ours, theirs)
        return None if merged.paths else merged.tree

    async def is_landed(self, place: GitPlace, commit: str, ref: str, merged_as: str = "") -> bool:
        """Tell whether all of a commit's work is in a branch that has another commit in its place.

        So it is after a squash or a rebase, also by a forge, which may say what it merged the work as. Nobody's
        word counts: merging the work into what the branch is or was must change nothing.
        """
        asked = await self._git.run(
            place, "merge-base", "--end-of-options", commit, ref, accepts=(0, 1, 128)
        )
        if asked.returncode:
            return False
        since = asked.output.text().strip()
        newest = await self._git.run(
            place,
            *("rev-list", "--first-parent", f"--max-count={MAX_LOOKED_AT}"),
            *("--end-of-options", ref, f"^{since}"),
        )
        named = await self._git.run(
            place,
            *("log", "--no-show-signature", "--format=%H", "--fixed-strings"),
            *(f"--grep={SOURCE_TRAILER}: {commit}", "--end-of-options", ref, f"^{since}", "--"),
        )
        told = (merged_as,) if merged_as and await self._has(place, ref, merged_as) else ()
        places = (*told, *named.output.text().split(), *newest.output.text().split())
        for landed in dict.fromkeys(places):
            merged = await self._trees.merge(place, landed, commit)
            if not merged.paths and merged.tree == await self._tree_of(place, landed):
                return True
        return False

    async def _has(self, place: GitPlace, ref: str, commit: str) -> bool:
        """Tell whether a commit is known here and in a branch."""
        asked = await self._git.run(
            place,
            *("merge-base", "--is-ancestor", "--end-of-options", commit, ref),
            accepts=(0, 1, 128),
        )
        return asked.returncode == 0

    async def _tree_of(self, place: GitPlace, commit: str) -> str:
        return await self._git.line(
            place, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}"
        )


def _named(call: SettleCall) -> tuple[tuple[str, str], ...]:
    return ((MERGE_TRAILER, call.key),)
