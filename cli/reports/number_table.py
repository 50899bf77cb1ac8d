"""Tables of names, bars and numbers that fit the terminal; numbers are never cut."""

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from cli.core.console import plain

BAR_CELLS = 14
_EIGHTHS = " ▏▎▍▌▋▊▉"
_GAP = 2
_SHORT_NAME = 24
"""If names would have less space than that, the bars are left out."""

_SHORTEST_NAME = 8


class NumberTable:
    """Rows of a name, a bar, and numbers."""

    def __init__(self, name: str, *numbers: str) -> None:
        self._headings = (name, *numbers)
        self._rows: list[tuple[Text, Text, tuple[str | Text, ...]]] = []

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def add_row(self, name: Text, drawn: Text, *numbers: str | Text) -> None:
        """Add a row with a number for each heading."""
        self._rows.append((name, drawn, numbers))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it in the available width."""
        del console
        columns = zip(self._headings[1:], *(numbers for _, _, numbers in self._rows), strict=True)
        wide = sum(max(_cells(cell) for cell in column) + _GAP for column in columns)
        names = (self._headings[0], *(name for name, _, _ in self._rows))
        longest, room = max(_cells(name) for name in names), options.max_width - wide
        has_bars = room - BAR_CELLS - _GAP >= min(longest, _SHORT_NAME)
        left = room - (BAR_CELLS + _GAP if has_bars else 0)
        yield self._table(min(longest, max(_SHORTEST_NAME, left)), has_bars=has_bars)

    def _table(self, name_cells: int, *, has_bars: bool) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
        table.add_column(
            self._headings[0],
            width=name_cells,
            no_wrap=True,
            overflow="ellipsis",
            header_style="bold",
        )
        if has_bars:
            table.add_column(width=BAR_CELLS, no_wrap=True)
        for heading in self._headings[1:]:
            table.add_column(heading, justify="right", no_wrap=True)
        for name, drawn, numbers in self._rows:
            table.add_row(name, *([drawn] if has_bars else []), *numbers)
        return table


def bar(part: int, whole: int, style: str) -> Text:
    """Draw a part of a whole, to an eighth of a cell; a part above 0 is never empty."""
    eighths = max(round(8 * BAR_CELLS * part / whole), 1) if part and whole else 0
    full, rest = divmod(eighths, 8)
    return plain(f"{'█' * full}{_EIGHTHS[rest].strip()}", style)


def _cells(text: str | Text) -> int:
    return text.cell_len if isinstance(text, Text) else cell_len(text)
