"""The goal of an issue's thread: what an agent is told of it."""

from domain.core.markdown import code
from domain.forges.issues import Issue
from domain.forges.untrusted import untrusted

MAX_TEXT = 7_000
"""Characters of an issue's text in the goal."""

_MAX_LINE = 300


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
