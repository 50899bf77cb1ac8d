"""The settings of what is kept, and for how long."""

from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings

from domain.retention.ages import checked_age, parse_age
from domain.retention.archives import checked_location
from domain.retention.disk import DiskLimits
from domain.retention.policy import PrunePolicy
from domain.retention.sizes import checked_size


class RetentionSettings(BaseSettings):
    """What becomes of threads that ended, and how much room work takes."""

    archive: Annotated[str, AfterValidator(checked_location)] | None = None
    """Where prunes write threads to before they remove them: a folder by its absolute path, or `s3://bucket/prefix`."""

    temporal_retention_days: Annotated[int, Field(ge=1, le=3650)] = 7
    """For how many days the embedded Temporal keeps histories of what has ended; another server keeps its own."""

    prune_older: Annotated[str, AfterValidator(checked_age)] | None = None
    """Remove each day the threads that ended and did not change for this long, such as `90d`. None is never."""

    prune_keep_last: Annotated[int, Field(ge=0, le=100_000)] = 0
    """How many of each repository's threads that ended the daily prune keeps, the newest."""

    disk_budget: Annotated[str, AfterValidator(checked_size)] | None = None
    """What worktrees, pools, layers, caches and mirrors of a host may take together, such as `200G`; none is no limit."""

    disk_free: Annotated[str, AfterValidator(checked_size)] | None = None
    """How much of a host's disk stays free, such as `5G`: below it pools are emptied, then new tasks wait."""

    learnings_expire: Annotated[str, AfterValidator(checked_age)] = "90d"
    """How long a repository's learning is offered to planners and tasks after it was learned or used last, such as `90d`."""

    @property
    def learnings_lifetime(self) -> timedelta:
        """How long learnings live that nobody uses."""
        return parse_age(self.learnings_expire)

    @property
    def disk_limits(self) -> DiskLimits:
        """The limits of the disk."""
        return DiskLimits.of(self.disk_budget, self.disk_free)

    @property
    def daily_prune(self) -> PrunePolicy | None:
        """What is removed each day; None is nothing."""
        if self.prune_older is None:
            return None
        return PrunePolicy(
            older=self.prune_older, keep_last=self.prune_keep_last, archive=self.archive or ""
        )
