"""Comments on lines of a diff, as options of a command."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from domain.core.comments import MAX_COMMENT

FORM = "PATH:LINE:TEXT"

Comments = Annotated[
    list[str] | None,
    typer.Option(
        "--comment",
        metavar=FORM,
        help="Comment on a line of a task's diff, -LINE for a removed one; repeatable.",
    ),
]
"""The option of commands that reject a task."""

_TYPED = re.compile(r"(?P<path>.+?):(?P<line>-?[0-9]{1,8}):(?P<text>.*)", re.DOTALL)


def typed(comments: Sequence[str], feedback: str) -> list[dict[str, Any]]:
    """Return comments as the API takes them; a removed line has a minus, as in a diff.

    Raises:
        typer.BadParameter: One is malformed, or there are neither comments nor feedback.
    """
    if not comments and not feedback:
        raise typer.BadParameter("say what to change, with --feedback or --comment")
    return [_read(comment) for comment in comments]


def _read(comment: str) -> dict[str, Any]:
    found = _TYPED.fullmatch(comment)
    line = int(found["line"]) if found else 0
    text = found["text"].strip() if found else ""
    if found is None or not line or not text:
        raise typer.BadParameter(
            f"{comment[:80]!r} is not a comment on a line: write {FORM}, like src/a.py:12:'why?', and "
            "-12 for a removed line"
        )
    if len(text) > MAX_COMMENT:
        raise typer.BadParameter(
            f"a comment has {len(text):,} characters, the limit is {MAX_COMMENT:,}: put the rest "
            "in --feedback"
        )
    side = "new" if line > 0 else "old"
    return {"path": found["path"], "line": abs(line), "side": side, "text": text}
