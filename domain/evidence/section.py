"""The section of a pull request's body that tells its receipt: between marks, so that there is only ever one."""

import re

from domain.forges.pull_requests import MAX_BODY

BEGIN = "<!-- treadle-receipt -->"
END = "<!-- /treadle-receipt -->"
_SECTION = re.compile(rf"\n*{re.escape(BEGIN)}.*?(?:{re.escape(END)}|\Z)\n*", re.DOTALL)


def with_section(body: str, section: str) -> str:
    """Return a body with this section in place of the one that it has, or at its end; cut before it."""
    kept = without_section(body)
    inner = section.strip().replace("<!--", "<!- -")  # a command could have a mark in its text
    marked = f"{BEGIN}\n{inner}\n{END}\n"
    room = MAX_BODY - len(marked) - 2
    return f"{kept[:room].rstrip()}\n\n{marked}".lstrip() if room > 0 else kept[:MAX_BODY]


def without_section(body: str) -> str:
    """Return a body without any such section."""
    return _SECTION.sub("\n\n", body).strip()
