"""What people read who are not signed in to Temporal's Web UI, or find it gone."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<main>
<h1>{title}</h1>
<p>Run <code>treadle open --temporal</code> in a terminal and follow the link that it prints, or choose
“Open in Temporal” on Treadle's page. A link works once and expires after five minutes. You stay signed
in for twelve hours.</p>
</main>
</html>
"""

SIGN_IN = _PAGE.format(title="Sign in to Temporal's Web UI")
LINK_GONE = _PAGE.format(title="This link has expired")

UNREACHABLE = (
    "Temporal's Web UI does not answer: it comes with the engine (`treadle up`); `treadle doctor` "
    "says more"
)
