"""A watched pull request as it is drawn on a terminal."""

from collections.abc import Iterator

from rich.text import Text

from cli.core.console import plain, quoted
from domain.publications.reworks import REWORKABLE
from domain.publications.views import WatchedPullRequest, checks_in_words

_SHORT = 12
_LINES = 6


def receipt(found: WatchedPullRequest) -> Iterator[Text]:
    """Yield how the receipt stands for the head, if that is known."""
    if (known := found.receipt) is not None:
        good = "green" if known.is_verified else "yellow"
        style = "bold red" if known.is_void else good
        yield plain(f"  receipt for {known.commit[:_SHORT]}: {known.words}", style)


def pull_request(found: WatchedPullRequest, thread: str) -> Iterator[Text]:
    """Yield a pull request line by line, with what waits for a person and the commands for it."""
    yield plain(f"pull request #{found.number}  {found.status}  {found.url}", "bold")
    if found.title:
        yield quoted(f"  {found.title}", "dim")
    if found.head_commit:
        merge = f", {found.mergeability}" if found.mergeability else ""
        yield plain(f"  {found.head} at {found.head_commit[:_SHORT]} into {found.base}{merge}")
    if found.checks:
        yield plain(f"  checks: {checks_in_words(found.checks)}")
    yield from receipt(found)
    for review in found.reviews:
        yield quoted(f"  {review.author.login}: {review.state.replace('_', ' ')}", "dim")
    yield from _reworks(found)
    if found.merge_commit:
        yield plain(f"  merged as {found.merge_commit[:_SHORT]}", "green")
    for item in found.items:
        yield plain("")
        yield quoted(f"  {item.subject}", "bold yellow")
        for line in item.text.splitlines()[:_LINES]:
            yield quoted(f"  > {line}", "dim")
        yield plain(f"  {item.advice}")
        if item.kind in REWORKABLE and not found.policy.stack_base:
            yield plain(f"  treadle publish rework {item.item_id} {thread}", "cyan")
        yield plain(f"  treadle publish dismiss {item.item_id} {thread}", "cyan")


def _reworks(found: WatchedPullRequest) -> Iterator[Text]:
    if found.rework is not None:
        yield quoted(f"  rework {found.rework.number} {found.rework.stage}", "cyan")
    for ended in found.ended_reworks:
        how = f"pushed as {ended.commit[:_SHORT]}" if ended.commit else "not pushed"
        why = f": {ended.reason}" if ended.reason else ""
        cost = f", {ended.usd:.2f} USD" if ended.usd else ""
        yield quoted(f"  rework {ended.number} {how}{why}{cost}", "dim")
