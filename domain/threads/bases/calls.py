"""What the activity takes and gives that fetches a base and takes it into a thread's branch."""

from domain.core.effects import Effect
from domain.core.ids import StreamId, TaskId, ThreadId
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult, WorkspaceSpec
from domain.plans.templates.template import BaseUpdate
from domain.threads.bases.looks import BaseLook
from domain.threads.calls import SettleCall
from domain.verification.checkouts import Recipe
from domain.verification.steps import VerificationStep

BASE_TASK = TaskId("base")
"""What verification of a base that is taken in is told by."""


class BaseQuery(Effect):
    """Fetch the branch `base` of a remote, and look how far it has moved from a thread's branch.

    A remote that is not named is `origin`, or the only one; `known` are the addresses of the remotes when the
    thread was opened: from no other is anything fetched. `previous` is where the base was before; `due` what it is looked at
    for, so that another attempt finds what an earlier one did.
    """

    thread_id: ThreadId
    repository: str
    branch: str
    base: str
    remote: str = ""
    known: dict[str, str] = {}
    previous: str = ""
    due: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"fetch {self.base}"


class BaseCall(BaseQuery):
    """Take a base that has moved into a thread's branch, by `update`; verified by the steps before the branch moves.

    What a force-push has rewritten is taken in only if a person asked. `is_tip_unverified` says that the branch
    itself is at a tree that no step has seen.
    """

    key: str
    update: BaseUpdate = BaseUpdate.MERGE
    is_asked: bool = False
    is_tip_unverified: bool = False
    workspace: WorkspaceSpec
    stream: StreamId = StreamId("")
    steps: tuple[VerificationStep, ...] = ()
    port_ids: tuple[str, ...] = ()
    recipe: Recipe = Recipe()

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"take {self.base} into {self.branch}"

    def settling(self, look: "BaseLook") -> SettleCall:
        """Return the merge of the base that was found."""
        return SettleCall(
            key=f"{self.key}/{look.commit}",
            task_id=BASE_TASK,
            workspace=self.workspace,
            commit=look.commit,
            branch=self.branch,
            is_linear=True,
            stream=self.stream,
            steps=self.steps,
            port_ids=self.port_ids,
            recipe=self.recipe,
            is_verified=False,
            title=f"Merge {self.base} of {look.remote}",
            trailers=(("Treadle-Thread", self.thread_id),),
        )


class BaseAnswer(Wire):
    """What became of a base: `merge` has the commit that the branch is at now, if it moved."""

    look: BaseLook
    merge: MergeResult = MergeResult()
