"""Bodies of requests about prunes."""

from typing import Annotated

from pydantic import AfterValidator, Field

from api.core.bodies import CommandBody
from api.core.list_parameters import LineOfText
from domain.core.wire import Body
from domain.retention.ages import checked_age
from domain.retention.archives import checked_location
from domain.retention.policy import PrunePolicy

Location = Annotated[str, Field(max_length=1000), AfterValidator(checked_location)]
Age = Annotated[str, Field(max_length=20), AfterValidator(checked_age)]


class PolicyBody(Body):
    """Which threads go: those that ended and did not change for `older`, like `90d`.

    Pinned ones are always kept, with `keep_last` the newest of each repository that ended, and all of
    `keep_repositories`. `archive` is where each thread is written to before it is removed: a folder by
    its absolute path, or `s3://bucket/prefix`; without it the server's setting, empty for nowhere.
    """

    older: Age
    keep_last: int = Field(default=0, ge=0, le=100_000)
    keep_repositories: tuple[LineOfText, ...] = Field(default=(), max_length=100, strict=False)

    archive: Location | None = None

    def policy(self, archive: str | None) -> PrunePolicy:
        """Return the policy that it says; `archive` is the server's setting."""
        return PrunePolicy(
            older=self.older,
            keep_last=self.keep_last,
            keep_repositories=self.keep_repositories,
            archive=(archive or "") if self.archive is None else self.archive,
        )


class PruneBody(PolicyBody, CommandBody):
    """A prune of exactly what was shown: `content_hash` is that of its preview."""

    content_hash: str = Field(min_length=1, max_length=64)
