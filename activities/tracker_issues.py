"""Whether an issue that is known is still where it was."""

from datetime import UTC, datetime

from domain.forges.errors import ForgeGoneError
from domain.forges.issues import Issue, IssueId, IssueQuery
from domain.trackers.ports import ConfiguredTracker

GONE_ISSUE = "the issue was deleted or moved to another project"


async def found_issue(configured: ConfiguredTracker, ref: IssueId) -> Issue | None:
    """Return an issue as it is now; None where it was deleted or moved, or where its key names another one.

    Raises:
        ForgeError: Its whole project is gone, or the token must not see it, which says nothing of the issue.
    """
    source, tracker = configured
    try:
        issue = await tracker.issue(ref)
    except ForgeGoneError:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        await tracker.changed_issues(IssueQuery(project=source.project), now, {})
        return None
    return issue if issue.ref.id == ref.id else None
