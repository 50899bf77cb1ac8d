"""The `Stacks` port on git: where tasks are in a branch, their commits on top of others, and pushes of layers.

Nothing is checked out. What was replayed is kept in `refs/treadle/THREAD/stack/`, as no branch here has it.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from adapters.git.bases import GitBases
from adapters.git.commands import Git, GitPlace
from adapters.git.commits import SOURCE_TRAILER, Commits, message_of
from adapters.git.index import Index
from adapters.git.linear_merges import LinearMerges
from adapters.git.pushes import GitPushes, Outgoing
from adapters.git.repositories import Repositories
from adapters.git.trees import Trees
from adapters.processes.spawner import Spawner
from domain.core.workspaces import MergeCandidate
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.errors import PushError, PushNotThroughError
from domain.threads.publishing.stack_calls import (
    LayerCall,
    ReplayCall,
    Replayed,
    StackCall,
    StackFound,
)

_SHORT = 12
_LISTED = 10
_LOOKED_AT = 20_000
_LIMIT_SECONDS = 300.0


class GitStacks:
    """Finds, replays and pushes the layers of stacks."""

    def __init__(
        self,
        spawner: Spawner,
        data_dir: Path,
        environment: Mapping[str, str],
        limit_seconds: float = _LIMIT_SECONDS,
    ) -> None:
        """Make the port; `environment` is what git needs of the worker's, for ssh agents and such."""
        self._git = Git(spawner, data_dir / "litter")
        self._repositories = Repositories(self._git, data_dir)
        self._commits = Commits(self._git, Index(self._git))
        self._linear = LinearMerges(self._git, self._commits)
        self._trees = Trees(self._git)
        self._pushes = GitPushes(spawner, data_dir, environment, limit_seconds)
        self._bases = GitBases(spawner, data_dir, environment)

    async def find(self, call: StackCall) -> StackFound:
        """Return the tasks in the order in which a branch got them; see the port."""
        out = await self._pushes.outgoing(call)
        walked = await self._git.run(
            out.place,
            *("rev-list", "--first-parent", f"--max-count={_LOOKED_AT}", "--end-of-options"),
            out.pushed.commit,
        )
        at = {commit: place for place, commit in enumerate(walked.output.text().split())}
        found = [task for task, commit in call.tasks.items() if commit in at]
        return StackFound(
            pushed=out.pushed,
            tasks=tuple(sorted(found, key=lambda task: -at[call.tasks[task]])),
            missing=tuple(task for task in call.tasks if task not in found),
        )

    async def replay(self, call: ReplayCall) -> Replayed:
        """Put commits on top of others; see the port."""
        place = (await self._repositories.find(call.repository)).place
        onto = call.onto
        if not onto:
            look = await self._bases.look(call)
            if look.note or not look.commit:
                raise PushNotThroughError(look.note or f"{call.base} cannot be found on the remote")
            onto = look.commit
            if await self._is_in(place, call.since, onto):
                return Replayed(commit=call.commit, begins_at=call.since)
        elif onto == call.since:
            return Replayed(commit=call.commit, begins_at=onto)
        elif not await self._has(place, onto):
            await self._pushes.tip(await self._outgoing(call))
        made = await self._replayed(place, call, onto)
        if isinstance(made, Replayed):
            return made
        kept = f"refs/treadle/{call.thread_id}/stack/{made.commit}"
        await self._git.run(place, "update-ref", "--no-deref", kept, made.commit)
        return Replayed(commit=made.commit, begins_at=onto)

    async def push(self, call: LayerCall) -> None:
        """Push a layer, over nothing but what was pushed of it before; see the port."""
        out = await self._pushes.outgoing(call.model_copy(update={"commit": ""}))
        layer = out.pushed.model_copy(update={"branch": call.draft.head, "commit": call.commit})
        out = replace(out, pushed=layer)
        at = await self._pushes.tip(out)
        if at == call.commit:
            return
        if at and at not in call.made:
            raise PushError(
                f"{call.draft.head} is at {at[:_SHORT]} on {out.pushed.remote}, which was not pushed from here: nothing is "
                f"forced over it. Its pull request should have {call.commit[:_SHORT]} on top of {call.draft.base}"
            )
        await self._pushes.send(out, f"--force-with-lease={out.ref}:{at}")

    async def _outgoing(self, call: ReplayCall) -> Outgoing:
        pushed = PushCall(
            repository=call.repository,
            branch=call.branch,
            remote=call.remote,
            address=call.address,
            known=call.known,
        )
        out = await self._pushes.outgoing(pushed)
        return replace(out, pushed=out.pushed.model_copy(update={"branch": call.onto_branch}))

    async def _replayed(
        self, place: GitPlace, call: ReplayCall, onto: str
    ) -> MergeCandidate | Replayed:
        """Return the commits on top of others: each again, or all as one where that cannot be done."""
        made = await self._linear.replay(place, (onto, call.commit), since=call.since)
        if made is not None:
            return made
        trees = [await self._tree(place, each) for each in (call.since, onto, call.commit)]
        base = await self._commits.make(place, trees[0], [], "base")
        ours = await self._commits.make(place, trees[1], [base], "ours")
        theirs = await self._commits.make(place, trees[2], [base], "theirs")
        merged = await self._trees.merge(place, ours, theirs)
        if merged.paths:
            files = ", ".join(merged.conflicts[:_LISTED])
            where = call.onto_branch or call.base
            return Replayed(
                failure=f"its commits conflict with {where} at {onto[:_SHORT]}, in {files}"
            )
        message = message_of(call.title, ((SOURCE_TRAILER, call.commit),))
        commit = await self._commits.make(place, merged.tree, [onto], message)
        return MergeCandidate(commit=commit, tree=merged.tree)

    async def _tree(self, place: GitPlace, commit: str) -> str:
        name = f"{commit}^{{tree}}"
        return await self._git.line(place, "rev-parse", "--verify", "--end-of-options", name)

    async def _has(self, place: GitPlace, commit: str) -> bool:
        asked = await self._git.run(place, "cat-file", "-e", commit, accepts=(0, 1, 128))
        return asked.returncode == 0

    async def _is_in(self, place: GitPlace, commit: str, tip: str) -> bool:
        asked = await self._git.run(
            place,
            *("merge-base", "--is-ancestor", "--end-of-options", commit, tip),
            accepts=(0, 1, 128),
        )
        return asked.returncode == 0
