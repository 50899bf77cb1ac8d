"""What may happen to a pull request without asking a person; by default nothing."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire
from domain.forges.pull_requests import MergeMethod

MAX_AUTHORS = 50
MAX_LOGIN = 100
MAX_REWORKS = 20
MAX_REWORK_USD = 10_000.0


class Response(StrEnum):
    """What follows a failed check or a review comment."""

    CARD = "card"
    REWORK = "rework"


class AutoMerge(StrEnum):
    """Whether the forge is asked to merge without a person's command."""

    OFF = "off"
    WHEN_READY = "when_ready"


class PublishAs(StrEnum):
    """What is one pull request: all of a thread, or each of its tasks, stacked on the one before."""

    THREAD = "thread"
    TASKS = "tasks"


class PullRequestPolicy(Wire):
    """What a thread's template, or its approved plan, allows.

    `authors` are logins whose comments may cause a rework by themselves; everybody else's are first shown to
    a person. `max_rework_usd` is what the reworks of a pull request may have cost before the policy begins no more; 0 is no
    bound. `check_patience_seconds` is how long checks may be pending until a person is told. `updates_base`
    lets the thread take the base in where the forge says that the branch is behind it or conflicts with it;
    `pushes_base` lets it push that: a person who confirmed the commit that was published is asked instead.
    One of a stack has its end as `stack_base`: it is merged only once it is against that branch.
    """

    on_failed_check: Response = Response.CARD
    on_review_comment: Response = Response.CARD
    authors: tuple[str, ...] = ()
    max_reworks: Annotated[int, Field(ge=0, le=MAX_REWORKS)] = 3
    max_rework_usd: Annotated[float, Field(ge=0)] = 0.0
    auto_merge: AutoMerge = AutoMerge.OFF
    merge_method: MergeMethod = MergeMethod.MERGE
    deletes_branch: bool = False
    check_patience_seconds: Annotated[int, Field(ge=60)] = 6 * 3600
    updates_base: bool = False
    pushes_base: bool = True
    stack_base: str = ""
