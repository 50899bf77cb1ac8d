"""Whom a person's message names: `@ann`, as far as it is written to be read by her."""

import re

MAX_MENTIONED = 20
"""People whom one message mentions; more are no mention but a list."""

_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_INLINE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
_NAME = re.compile(r"(?<![\w.@+/-])@([A-Za-z0-9][A-Za-z0-9._@+-]{0,99})(?![\w/])")
_AFTER = ".-+@_"
"""What may follow a name in a sentence, and is then none of it."""


def names_in(text: str) -> tuple[str, ...]:
    """Return what a message may mention people by, each once, in its order.

    Code, addresses like `ann@example.org` and paths like `@src/app.py` name nobody. Whether there are such people is not
    looked at: of a name that ends like a sentence, both ways to read it are returned, the longer one first.
    """
    found: dict[str, None] = {}
    for name in _NAME.findall(_INLINE.sub(" ", _FENCED.sub("\n", text))):
        found |= dict.fromkeys((name, name.rstrip(_AFTER)))
    return tuple(found)[:MAX_MENTIONED]
