"""Pages of trackers that are asked for issues since a time, and answer with some that are known."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from domain.forges.issues import Issue, IssuePage

OVERLAP = timedelta(minutes=10)
"""How late an index of a search may take up a change; so long a time is asked for again."""

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


def late_page_of(
    found: Sequence[Issue], cursor: str, tags: dict[str, str], *, has_more: bool
) -> IssuePage:
    """Return the issues of a search whose index is late; states that were seen are left out.

    The next look asks for the time before the newest change again, for what was not in the index yet.
    """
    known = frozenset(tags.get(_SEEN, "").split())
    if not found:
        return IssuePage(cursor=cursor, tags=tags)
    last = max(each.updated_at for each in found).astimezone(UTC)
    since = last if has_more else last - OVERLAP
    since = max(since, datetime.fromisoformat(cursor)) if cursor else since
    seen = {_state(each): each for each in found}
    changed = tuple(each for state, each in seen.items() if state not in known)
    kept = sorted(state for state, each in seen.items() if each.updated_at >= since)
    return IssuePage(
        issues=changed or None,
        cursor=since.strftime("%Y-%m-%dT%H:%M:%SZ"),
        tags={_SEEN: " ".join(kept)},
        has_more=has_more,
    )


def _state(issue: Issue) -> str:
    return f"{issue.ref.id}@{_moment(issue)}"


def _moment(issue: Issue) -> str:
    return issue.updated_at.astimezone(UTC).isoformat(timespec="milliseconds")


def _is_new(issue: Issue, cursor: str, known: frozenset[str]) -> bool:
    moment = _moment(issue)
    return moment > cursor or (moment == cursor and issue.ref.id not in known)
