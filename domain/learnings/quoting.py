"""Learnings as prompts quote them: one line of data that nothing in it can end, or hide."""

import json

from domain.core.printable import visible


def quoted(text: str, limit: int) -> str:
    """Return a text as JSON has it, on one line, cut after so many characters; what nobody would see is written out."""
    line = visible(" ".join(text.split()))
    return json.dumps(line if len(line) <= limit else f"{line[: limit - 1]}…", ensure_ascii=False)
