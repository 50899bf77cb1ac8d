"""The structure of a Markdown text, as CommonMark reads it: its headings, and its lines of prose.

What stands in a fence, in a comment or in a quotation is neither. There are texts whose lines are read
again for each line before them, like thousands of short quotations with references in them. So the steps
of the reader are counted, and it gives up on a text that takes more than any plan does.
"""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from domain.threads.plan_files.errors import TangledTextError

MAX_STEPS = 100_000
"""Of the reader: some three for each line, and more where it stands in lists; half a second."""

_BLOCKS = MarkdownIt("commonmark")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])
_LISTS = frozenset({"bullet_list_open", "ordered_list_open", "list_item_open"})
_BYTE_ORDER_MARK = "\ufeff"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True)
class Heading:
    """A heading; `start` is its line, from 0, and `body` the line after it."""

    level: int
    text: str
    start: int
    body: int

    def __str__(self) -> str:
        """Return it as it may be written, `## Like this`."""
        return f"{'#' * self.level} {self.text}"


@dataclass(frozen=True)
class Outline:
    """A text's headings outside of lists and quotations, and its lines of prose by their number.

    `steps` are those that the reader took.
    """

    headings: tuple[Heading, ...]
    prose: tuple[tuple[int, str], ...]
    steps: int = 0

    def end_of(self, heading: Heading) -> int | None:
        """Return the line at which the next section of the same or a higher rank begins."""
        after = bisect_right(self.headings, heading.start, key=lambda h: h.start)
        following = (self.headings[n] for n in range(after, len(self.headings)))
        return next((h.start for h in following if h.level <= heading.level), None)

    def prose_between(self, start: int, end: int | None) -> list[str]:
        """Return the lines of prose from one line to before another; None is the text's end."""
        first = bisect_left(self.prose, start, key=lambda line: line[0])
        last = None if end is None else bisect_left(self.prose, end, key=lambda line: line[0])
        return [text for _, text in self.prose[first:last]]


def _count(state: StateBlock, line: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (a rule of the reader)
    """Count a step: the reader asks this rule first wherever a block may begin, and it never applies."""
    del line, end, silent
    state.env["steps"] += 1
    if state.env["steps"] > state.env["most"]:
        raise TangledTextError(
            f"the text takes more than {state.env['most']} steps to read: give it fewer lines, and "
            "fewer quotations and lists in each other"
        )
    return False


_EVERYWHERE = ["paragraph", "reference", "blockquote", "list"]
_BLOCKS.block.ruler.before("code", "count", _count, {"alt": _EVERYWHERE})


def outline_of(text: str, most: int = MAX_STEPS) -> Outline:
    """Return the structure of a text.

    Raises:
        TangledTextError: Reading it takes more steps than `most`.
    """
    headings: list[Heading] = []
    prose: list[tuple[int, str]] = []
    around: list[str] = []
    counted = {"steps": 0, "most": most}
    for token, inline in pairwise(_BLOCKS.parse(text.removeprefix(_BYTE_ORDER_MARK), counted)):
        if token.map:
            if token.type == "heading_open" and not around:
                level = int(token.tag.removeprefix("h"))
                headings.append(Heading(level, inline.content.strip(), *token.map))
            elif token.type == "paragraph_open" and _LISTS.issuperset(around):
                lines = inline.content.split("\n")
                prose += ((token.map[0] + n, line.strip()) for n, line in enumerate(lines))
        if token.nesting == 1:
            around.append(token.type)
        elif token.nesting == -1:
            around.pop()
    return Outline(tuple(headings), tuple(prose), counted["steps"])


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, split where Markdown splits and nowhere else."""
    return _LINE.findall(text)
