"""Files that a person names in a message: `@src/app.py`, or `@"a name with spaces.md"`."""

import re

from domain.agents.agents import Prompt

MAX_MENTIONS = 20
_MOST = 200
_PEOPLES = ("goal", "text", "feedback")
"""The fields of prompts that hold what a person wrote."""

_MENTION = re.compile(r'(?<![^\s("\'\[])@(?:"([^"\n]{1,1000})"|([^\s"@]{1,1000}))')
_AFTER = ".,;:!?)]}'\""
"""What may follow a name in a sentence, and is none of it."""


def mentioned_in(prompt: Prompt) -> tuple[str, ...]:
    """Return the paths that the words of people in a prompt name, each once, in their order.

    Whether there are such files is not looked at: `@ann` is one, too. Of a name that ends like a
    sentence, both ways to read it are returned, the longer one first.
    """
    words = "\n".join(prompt.fields.get(name, "") for name in _PEOPLES)
    found: dict[str, None] = {}
    for quoted, bare in _MENTION.findall(words)[:_MOST]:
        for path in (quoted,) if quoted else (bare, bare.rstrip(_AFTER)):
            if path and ".git" not in path.split("/"):
                found[path] = None
    return tuple(found)


def mention(path: str) -> str:
    """Return how a message names a file."""
    return f"@{path}" if re.fullmatch(r"[\w./+-]*\w", path) else f'@"{path}"'
