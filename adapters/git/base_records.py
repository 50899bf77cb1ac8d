"""Where a thread's branch was before a base was taken in, so that another attempt knows what the first one did.

A worker can be killed once the branch has moved and before that was told. A branch that has the base then looks like
one that nothing was done to.
"""

from adapters.git.commands import Git, GitPlace
from adapters.git.commits import Commits
from domain.threads.bases.calls import BaseQuery
from domain.threads.bases.looks import BaseLook


class BaseRecords:
    """Keeps the newest taking in of each thread, in `refs/treadle/THREAD/base-taken`: a commit on the branch's."""

    def __init__(self, git: Git, commits: Commits) -> None:
        self._git = git
        self._commits = commits

    async def note(
        self, place: GitPlace, query: BaseQuery, look: BaseLook, tip: str, made: str = ""
    ) -> None:
        """Remember that a branch at `tip` is about to move to `made`, or to a merge of the base."""
        tree = await self._git.line(place, "rev-parse", f"{tip}^{{tree}}")
        message = f"{query.due}\n\n{look.commit} {made}\n"
        record = await self._commits.make(place, tree, [tip], message)
        await self._git.run(place, "update-ref", "--no-deref", _ref(query), record)

    async def with_taken(self, place: GitPlace, query: BaseQuery, look: BaseLook) -> BaseLook:
        """Return a look with what an earlier attempt at the same has done.

        The branch must be where that attempt has left it: what came in since is nobody's to publish with it.
        """
        shown = await self._git.run(
            place,
            *("log", "-1", "--no-show-signature", "--format=%s%n%P%n%b", "--end-of-options"),
            *(_ref(query), "--"),
            accepts=(0, 128),
        )
        due, before, made = (*shown.output.text().splitlines(), "", "", "")[:3]
        if shown.returncode or not query.due or due != query.due or before == look.tip:
            return look
        base, _, rebased = made.partition(" ")
        asked = ("log", "-1", "--no-show-signature", "--format=%P", look.tip, "--")
        parents = await self._git.line(place, *asked)
        if look.tip not in (base, rebased) and parents != f"{before} {base}":
            return look
        counted = ("rev-list", "--count", "--end-of-options", look.commit, f"^{before}")
        behind = await self._git.line(place, *counted)
        taken = "" if look.behind else look.tip
        return look.model_copy(update={"tip": before, "behind": int(behind), "taken": taken})


def _ref(query: BaseQuery) -> str:
    return f"refs/treadle/{query.thread_id}/base-taken"
