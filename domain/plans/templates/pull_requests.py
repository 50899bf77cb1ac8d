"""What a template, or a plan, says of the pull request once it is open: see domain/forges/policy.py."""

from typing import Annotated

from pydantic import AliasChoices, Field

from domain.core.wire import Wire
from domain.forges.policy import (
    MAX_AUTHORS,
    MAX_LOGIN,
    MAX_REWORK_USD,
    MAX_REWORKS,
    AutoMerge,
    PublishAs,
    Response,
)

Login = Annotated[str, Field(min_length=1, max_length=MAX_LOGIN)]
Authors = Annotated[tuple[Login, ...], Field(max_length=MAX_AUTHORS)]
Reworks = Annotated[int, Field(ge=0, le=MAX_REWORKS)]
ReworkUsd = Annotated[float, Field(gt=0, le=MAX_REWORK_USD, allow_inf_nan=False)]
USUAL_REWORKS = 3


class PullRequestConventions(Wire):
    """What follows a failed check or a comment, and whether the forge merges by itself; by default nothing.

    `authors` are the logins whose comments may cause a rework, `max_reworks` bounds those of one pull request,
    and `max_rework_usd` what they cost together, None for no bound.
    `publish` is what is one pull request: the thread, or each of its tasks.
    """

    on_failed_check: Response = Field(
        default=Response.CARD,
        validation_alias=AliasChoices("on_failed_check", "onFailedCheck"),
        exclude_if=lambda response: response is Response.CARD,
    )
    on_review_comment: Response = Field(
        default=Response.CARD,
        validation_alias=AliasChoices("on_review_comment", "onReviewComment"),
        exclude_if=lambda response: response is Response.CARD,
    )
    authors: Authors = Field(default=(), exclude_if=lambda authors: not authors)
    max_reworks: Reworks = Field(
        default=USUAL_REWORKS,
        validation_alias=AliasChoices("max_reworks", "maxReworks"),
        exclude_if=lambda most: most == USUAL_REWORKS,
    )
    max_rework_usd: ReworkUsd | None = Field(
        default=None,
        validation_alias=AliasChoices("max_rework_usd", "maxReworkUsd"),
        exclude_if=lambda most: most is None,
    )
    auto_merge: AutoMerge = Field(
        default=AutoMerge.OFF,
        validation_alias=AliasChoices("auto_merge", "autoMerge"),
        exclude_if=lambda merge: merge is AutoMerge.OFF,
    )
    delete_branch: bool = Field(
        default=False,
        validation_alias=AliasChoices("delete_branch", "deleteBranch"),
        exclude_if=lambda deletes: not deletes,
    )
    publish: PublishAs = Field(
        default=PublishAs.THREAD, exclude_if=lambda publish: publish is PublishAs.THREAD
    )

    @property
    def acts(self) -> tuple[str, ...]:
        """What happens to its pull request without asking."""
        found = {
            "reworks what a check of the pull request fails on": self.on_failed_check
            is Response.REWORK,
            f"reworks what {', '.join(self.authors)} comment on": self.on_review_comment
            is Response.REWORK
            and bool(self.authors),
            "has the forge merge the pull request (autoMerge: when_ready)": self.auto_merge
            is AutoMerge.WHEN_READY,
            "deletes the branch on the forge after the merge": self.delete_branch,
        }
        return tuple(words for words, acts in found.items() if acts)


class PullRequestOverrides(Wire):
    """What a plan wants otherwise of the pull request; None is as the template has it."""

    on_failed_check: Response | None = Field(
        default=None,
        validation_alias=AliasChoices("on_failed_check", "onFailedCheck"),
        exclude_if=lambda response: response is None,
    )
    on_review_comment: Response | None = Field(
        default=None,
        validation_alias=AliasChoices("on_review_comment", "onReviewComment"),
        exclude_if=lambda response: response is None,
    )
    authors: Authors | None = Field(default=None, exclude_if=lambda authors: authors is None)
    max_reworks: Reworks | None = Field(
        default=None,
        validation_alias=AliasChoices("max_reworks", "maxReworks"),
        exclude_if=lambda most: most is None,
    )
    max_rework_usd: ReworkUsd | None = Field(
        default=None,
        validation_alias=AliasChoices("max_rework_usd", "maxReworkUsd"),
        exclude_if=lambda most: most is None,
    )
    auto_merge: AutoMerge | None = Field(
        default=None,
        validation_alias=AliasChoices("auto_merge", "autoMerge"),
        exclude_if=lambda merge: merge is None,
    )
    delete_branch: bool | None = Field(
        default=None,
        validation_alias=AliasChoices("delete_branch", "deleteBranch"),
        exclude_if=lambda deletes: deletes is None,
    )
    publish: PublishAs | None = Field(default=None, exclude_if=lambda publish: publish is None)
