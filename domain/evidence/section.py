"""The section of a pull request's body that tells its receipt: between marks, so that there is only ever one."""

import re

from domain.forges.pull_requests import MAX_FORGE_BODY

BEGIN = "<!-- treadle-receipt -->"
END = "<!-- /treadle-receipt -->"
_SECTION = re.compile(rf"[\r\n]*{re.escape(BEGIN)}.*?(?:{re.escape(END)}|\Z)[\r\n]*", re.DOTALL)


def has_section(body: str) -> bool:
    """Tell whether a body has a whole section; people may take it out, and then it stays out."""
    return BEGIN in body and END in body


def with_section(body: str, *sections: str) -> str:
    """Return a body with a section in place of the one that it has, or at its end.

    It is the first of `sections` for which there is room beside the text that people wrote, which is never
    cut; none where there is room for none.
    """
    kept = without_section(body)
    for section in sections:
        inner = section.strip().replace("<!--", "<!- -")  # a command could have a mark in its text
        whole = f"{kept}\n\n{BEGIN}\n{inner}\n{END}\n".lstrip()
        if len(whole) <= MAX_FORGE_BODY:
            return whole
    return kept


def without_section(body: str) -> str:
    """Return a body without any such section."""
    return _SECTION.sub("\n\n", body).strip()
