"""The report as one page of HTML that needs nothing else: no script, no other file."""

import base64
import hashlib

from api.reports.html.charts import text_of
from api.reports.html.sections import sections
from api.reports.html.style import STYLE
from domain.core.text import counted
from domain.reading.report.highlights import key_numbers, scope_of
from domain.reading.report.report import Report

_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
CONTENT_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
)
"""Allows only the page's own style, whatever texts it contains."""

_EMPTY = """<section><h2>No data</h2>
<p class="note">No plan, task, flow run or turn ended in this period. Try an earlier
<code>--since</code>.</p></section>"""

_IN_FOURS = (4, 7)
"""Numbers of key numbers that are laid out in rows of four instead of three."""


def page_of(report: Report) -> str:
    """Return the page; all foreign text is escaped."""
    body = _EMPTY if report.is_empty else f"{_tiles(report)}{sections(report)}"
    scope = text_of(scope_of(report))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Treadle report: {scope}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<header><h1>Treadle report</h1>
<p class="soft">{scope}</p></header>
{body}
<footer>This report covers what ended in this period, including time before its start.
Created {report.until:%Y-%m-%d %H:%M} UTC from {counted(report.events, "event")}.</footer>
</main>
</body>
</html>
"""


def _tiles(report: Report) -> str:
    numbers = key_numbers(report)
    tiles = (
        f'<div class="tile"><span class="what">{text_of(tile.what)}</span>'
        f"<b>{text_of(tile.number)}</b><span>{text_of(tile.note)}</span></div>"
        for tile in numbers
    )
    many = " many" if len(numbers) in _IN_FOURS else ""
    return f'<div class="tiles{many}">{"".join(tiles)}</div>'
