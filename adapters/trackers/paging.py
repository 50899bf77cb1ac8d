"""Pages of trackers that are asked for issues since a time, and answer with some that are known."""

from collections.abc import Sequence
from datetime import UTC

from domain.forges.issues import Issue, IssuePage

_SEEN = "seen"


def page_of(
    found: Sequence[Issue], cursor: str, tags: dict[str, str], *, has_more: bool
) -> IssuePage:
    """Return the issues that changed since the time `cursor`; those that were seen at that moment are left out."""
    known = frozenset(tags.get(_SEEN, "").split())
    changed = [each for each in found if _is_new(each, cursor, known)]
    if not changed:
        return IssuePage(cursor=cursor, tags=tags, has_more=False)
    last = max(map(_moment, changed))
    at_last = {each.ref.id for each in changed if _moment(each) == last}
    seen = at_last | known if last == cursor else at_last
    tagged = {_SEEN: " ".join(sorted(seen))}
    return IssuePage(issues=tuple(changed), cursor=last, tags=tagged, has_more=has_more)


def _moment(issue: Issue) -> str:
    return issue.updated_at.astimezone(UTC).isoformat(timespec="milliseconds")


def _is_new(issue: Issue, cursor: str, known: frozenset[str]) -> bool:
    moment = _moment(issue)
    return moment > cursor or (moment == cursor and issue.ref.id not in known)
