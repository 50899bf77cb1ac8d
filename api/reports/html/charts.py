"""Charts of the report's page as SVG: without scripts, sized by what is around them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from domain.core.printable import visible

BAR_HEIGHT = 10
_HEIGHT, _TOP, _BOTTOM, _LEFT = 170, 8, 22, 4.5
_TICKS = 4

COLOURS = {
    "completed": "main",
    "stopped": "idle",
    "cancelled": "idle",
    "blocked": "warm",
    "failed": "bad",
}
"""Classes of the style, by how something ended, in the order in which ends are drawn."""


class Column(NamedTuple):
    """One column of a chart: what it is of, and its parts from the bottom up."""

    label: str
    parts: Mapping[str, int]


def text_of(text: str) -> str:
    """Return foreign text as it may stand on the page: no markup, nothing that hides or turns."""
    return escape(visible(text), quote=True)


def bar(parts: Sequence[tuple[str, float]], whole: float) -> str:
    """Draw parts of a whole in a row, each of a colour; the row's width stands for the whole."""
    pieces = [f'<rect class="track" width="100%" height="{BAR_HEIGHT}" rx="3"/>']
    left = 0.0
    for colour, part in parts:
        width = 100 * part / whole if whole else 0
        if part:
            # what is there is seen, however small it is
            pieces.append(
                f'<rect class="{colour}" x="{left:.2f}%" width="{max(width, 0.8):.2f}%" '
                f'height="{BAR_HEIGHT}" rx="{2 if width > 1 else 0}"/>'
            )
        left += width
    return f'<svg height="{BAR_HEIGHT}" aria-hidden="true">{"".join(pieces)}</svg>'


def legend(names: Sequence[str]) -> str:
    """Draw what the colours stand for."""
    items = (
        f'<li><svg aria-hidden="true"><rect class="{colour_of(name)}" width="10" height="10" rx="2"/>'
        f"</svg>{text_of(name)}</li>"
        for name in names
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def in_order(ends: Iterable[str]) -> list[str]:
    """Return ends in the order in which they are drawn, each once."""
    known = list(COLOURS)
    return sorted(set(ends), key=lambda end: (known.index(end) if end in known else -1, end))


def colour_of(end: str) -> str:
    """Return the colour of an end."""
    return COLOURS.get(end, "other")


def columns(drawn: Sequence[Column], what: str) -> str:
    """Draw columns of stacked parts over a scale."""
    top = _top_of(max((sum(column.parts.values()) for column in drawn), default=0))
    ticks = range(0, top + 1, max(1, top // _TICKS))
    pieces = [_tick(tick, top) for tick in ticks]
    slot = (100 - _LEFT) / max(1, len(drawn))
    for number, column in enumerate(drawn):
        pieces.append(_column(column, _LEFT + number * slot, slot, top))
    shown = sorted({0, len(drawn) // 2, len(drawn) - 1}) if drawn else []
    for number in shown:
        middle = _LEFT + (number + 0.5) * slot
        anchor = "end" if number and number == len(drawn) - 1 else "middle"
        at = 100.0 if anchor == "end" else middle
        anchor, at = ("start", _LEFT) if not number and len(drawn) > 1 else (anchor, at)
        pieces.append(
            f'<text x="{at:.2f}%" y="{_HEIGHT - 4}" text-anchor="{anchor}">'
            f"{text_of(drawn[number].label)}</text>"
        )
    return (
        f'<svg class="columns" height="{_HEIGHT}" role="img" aria-label="{text_of(what)}">'
        f"{''.join(pieces)}</svg>"
    )


def _y(value: float, top: int) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - value / top)


def _tick(tick: int, top: int) -> str:
    y = _y(tick, top)
    return (
        f'<line class="grid" x1="{_LEFT}%" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{_LEFT - 0.8:.1f}%" y="{y + 4:.1f}" text-anchor="end">{tick}</text>'
    )


def _column(column: Column, left: float, slot: float, top: int) -> str:
    parts = ", ".join(f"{number} {name}" for name, number in column.parts.items() if number)
    pieces = [f"<title>{text_of(f'{column.label}: {parts}')}</title>"]
    width, below = min(slot * 0.72, 6.0), 0
    for name, number in column.parts.items():
        if number:
            y, foot = _y(below + number, top), _y(below, top)
            pieces.append(
                f'<rect class="{colour_of(name)}" x="{left + (slot - width) / 2:.2f}%" '
                f'width="{width:.2f}%" y="{y:.1f}" height="{foot - y:.1f}"/>'
            )
        below += number
    return f"<g>{''.join(pieces)}</g>" if parts else ""


def _top_of(highest: int) -> int:
    """Return the top of the scale: a round number that its ticks divide."""
    if highest <= _TICKS:
        return _TICKS
    unit = 10 ** math.floor(math.log10(highest / _TICKS))
    step = next(m for m in (1, 2, 5, 10) if m * unit * _TICKS >= highest) * unit
    return step * _TICKS
