"""Merging a thread's branch into the branch that the thread began on (ADR 0029)."""

from enum import StrEnum
from typing import Protocol

from pydantic import Field

from domain.core.effects import Effect
from domain.core.errors import TreadleError
from domain.core.ids import ThreadId
from domain.core.wire import Wire
from domain.core.workspaces import BesideRepository


class LandingStage(StrEnum):
    """Where it stands."""

    IDLE = "idle"
    MERGING = "merging"
    MERGED = "merged"
    REFUSED = "refused"


class Landing(Wire):
    """What a thread remembers of it; `number` counts the times that it was asked for.

    `plan` is the revision that was approved then, 0 for a chat. `commit` and `target_commit` are what the person was shown: the newest of the thread's branch, and
    where the branch `target` was. `merge_commit` is where that is after the merge.
    """

    number: int = 0
    plan: int = Field(default=0, exclude_if=lambda plan: plan == 0)
    stage: LandingStage = LandingStage.IDLE
    commit: str = ""
    target: str = ""
    target_commit: str = ""
    beside: dict[str, str] = Field(default={}, exclude_if=lambda beside: not beside)
    merge_commit: str = ""
    failure: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether it is being merged now."""
        return self.stage is LandingStage.MERGING


class BesideTarget(BesideRepository):
    """A repository beside, and where the branch is there that is merged into."""

    target: str
    target_commit: str


class LandCall(Effect):
    """Merge `commit`, which `branch` is at, into `target`, which is at `target_commit`.

    With repositories `beside`, what the commit names there is merged as well: all or nothing.
    """

    thread_id: ThreadId
    repository: str
    branch: str
    commit: str
    target: str
    target_commit: str
    beside: tuple[BesideTarget, ...] = Field(default=(), exclude_if=lambda beside: not beside)

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"merge {self.branch} into {self.target}"


class Landed(Wire):
    """The commit that the target is at now."""

    commit: str


class LandingRefusedError(TreadleError):
    """A branch cannot be merged; the message says why and what to do. Nothing was changed."""

    type = "merge_refused"
    status = 409


class Landings(Protocol):
    """Merges into branches that are people's own."""

    async def land(self, call: LandCall) -> str:
        """Merge a branch and return where its target is; what was merged already is fine.

        Raises:
            LandingRefusedError: A branch has moved, they conflict, or a person's changes are in the way.
            RepositoryError: The repository is not what is trusted.
        """
        ...
