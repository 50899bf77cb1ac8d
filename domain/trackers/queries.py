"""Queries of trackers, as people write them in the settings, and what of them would break how we ask."""

import re
from urllib.parse import parse_qsl

from domain.forges.issues import TrackerKind

QUERYABLE = frozenset({TrackerKind.GITHUB, TrackerKind.GITLAB, TrackerKind.JIRA})
"""The kinds that have a query language."""

_PARAMETERS = frozenset(
    {
        *("author_id", "author_username", "confidential", "created_after", "created_before"),
        *("due_date", "epic_id", "health_status", "in", "issue_type", "iteration_id"),
        *("iteration_title", "milestone", "milestone_id", "my_reaction_emoji", "search", "weight"),
    }
)
_NEGATED = re.compile(r"not\[[a-z_]+\](\[\])?", re.ASCII)
_OURS = re.compile(
    r"(?<!\S)-?(?:(?:repo|org|user|sort|updated):\S*|(?:is|type):(?:pr|pull-request)(?!\S)|OR(?!\S))"
)
"""What of GitHub's search would search elsewhere, or undo the order and the time that we ask for."""


def parameters_of(text: str) -> dict[str, str]:
    """Return a query of GitLab, which is written as parameters of its list of issues are: `search=crash&milestone=2.0`.

    Raises:
        ValueError: It is not written so, or has others than those that select issues; the message says which.
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True)
    except ValueError:
        raise ValueError(
            "write a query of GitLab as parameters of its list of issues, like search=crash&milestone=2.0"
        ) from None
    odd = [name for name, _ in pairs if name not in _PARAMETERS and not _NEGATED.fullmatch(name)]
    if odd:
        known = ", ".join(sorted(_PARAMETERS))
        raise ValueError(f"a query of GitLab cannot have {odd[0]!r}: use {known} or not[NAME]")
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a query of GitLab names each parameter once")
    return found


def check_query(kind: TrackerKind, text: str) -> None:
    """Refuse a query that its tracker does not have, or that would break how we ask.

    Raises:
        ValueError: It cannot be used; the message says why.
    """
    if kind not in QUERYABLE:
        raise ValueError(f"{kind} has no query language here: use label or assignee")
    if kind is TrackerKind.GITLAB:
        parameters_of(text)
    if kind is TrackerKind.GITHUB and (odd := _OURS.search(text)):
        raise ValueError(
            f"a query of GitHub cannot have {odd[0]!r}: Treadle says which project, order and time"
        )
