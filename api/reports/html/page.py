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
"""Nothing but the page's own style does anything, whatever texts are on it."""

_EMPTY = """<section><h2>Nothing happened</h2>
<p class="note">No plan, task, flow run or turn ended in this time. An earlier beginning
(<code>--since</code>) may show more.</p></section>"""

_IN_FOURS = (4, 7)
"""So many key numbers stand in rows of four, others in rows of three."""


def page_of(report: Report) -> str:
    """Return the page; every foreign text on it is escaped."""
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
<footer>Counted is what ended in this time; what began before counts with its whole time.
Made {report.until:%Y-%m-%d %H:%M} UTC from {counted(report.events, "event")}.</footer>
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
