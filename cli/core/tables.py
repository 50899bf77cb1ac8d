"""Tables and times as commands draw them."""

from collections.abc import Collection
from datetime import UTC, datetime

from rich.table import Table


def table_of(*headings: str, folded: Collection[str] = (), whole: Collection[str] = ()) -> Table:
    """Return a table without lines: folded columns wrap, whole ones keep their width, others are cut."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in headings:
        overflow = "fold" if heading in folded else "ellipsis"
        table.add_column(heading, overflow=overflow, no_wrap=heading in whole)
    return table


def clock(at: datetime) -> str:
    """Return a time as the local clock shows it."""
    return f"{(at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone():%Y-%m-%d %H:%M:%S}"
