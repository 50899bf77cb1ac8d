"""Programs that act for a person: how what they open and say is signed, and whose it is.

A program proposes for a person and decides nothing. It signs as `ann via MCP (an editor)`: whoever reads
that sees both, and no rule takes it for ann.
"""

import re

MAX_PROGRAM = 60
MAX_CLIENT = 60

VIA = " via "

_SIGNED = re.compile(r"(?P<person>[^()]+?) via (?P<program>\S.*)", re.DOTALL)
_STRANGE = re.compile(r"[^A-Za-z0-9 .,:+@#_/-]+")
"""What a program may not be called by: nothing of it looks like the end of a signature, or like words of ours."""


def program_name(name: str, client: str = "") -> str:
    """Return what a program is called: by the name of its token, and by what its client says it is."""
    own = _clean(name, MAX_PROGRAM) or "a program"
    told = _clean(client, MAX_CLIENT)
    return f"{own} ({told})" if told else own


def signature(person: str, program: str = "") -> str:
    """Return who says something: a person, or a program for them."""
    return f"{person}{VIA}{program}" if program else person


def person_behind(by: str) -> str:
    """Return the person of a signature; what is none is returned as it is."""
    found = _SIGNED.fullmatch(by)
    return found["person"] if found else by


def program_of(by: str) -> str:
    """Return the program of a signature; empty where a person speaks, or Treadle."""
    found = _SIGNED.fullmatch(by)
    return found["program"] if found else ""


def told(text: str, by: str) -> str:
    """Return what somebody says as an agent gets it: what a program says is never a person's approval."""
    if not program_of(by):
        return text
    return f"({by}: a program says this, not a person. It approves nothing.)\n\n{text}"


def _clean(text: str, limit: int) -> str:
    """Return a name of others in one line of plain characters."""
    return " ".join(_STRANGE.sub(" ", text[: 4 * limit]).split())[:limit].strip()
