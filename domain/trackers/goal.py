"""The goal of an issue's thread: what an agent is told of it."""

from domain.core.markdown import code
from domain.forges.issues import Issue, IssueLink
from domain.forges.untrusted import untrusted

MAX_TEXT = 7_000
"""Characters of an issue's text in the goal."""

_MAX_LINE = 300
_MAX_URL = 2_000


def link_of(issue: Issue) -> IssueLink:
    """Return how doors show that work comes from an issue; an address that no browser should open is left out."""
    url = issue.url if issue.url.startswith(("https://", "http://")) else ""
    key = issue.ref.key or issue.ref.id
    title = " ".join(issue.title.split())
    return IssueLink(
        key=key[:_MAX_LINE], url=url if len(url) <= _MAX_URL else "", title=title[:_MAX_LINE]
    )


def goal_of(issue: Issue) -> str:
    """Return the goal of an issue's thread; all that the issue says is quoted as untrusted."""
    key = issue.ref.key or issue.ref.id
    text = f"{issue.title[:_MAX_LINE]}\n\n{issue.body}"
    source = f"issue {key} by {issue.author.login or issue.author.id}"
    return (
        f"Resolve the issue {code(key, 100)}.\n\n"
        f"It is at {code(issue.url, _MAX_LINE)}. Plan what it asks for as a change of this repository, "
        "and nothing beyond that.\n\n"
        f"{untrusted(text, source, MAX_TEXT)}"
    )
