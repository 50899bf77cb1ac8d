"""Which learnings matter for some work: BM25 over their words, and whether their files are the same.

It is computed here, over the learnings of one repository, so that both databases give the same order and
each score can be explained: the words that were found, weighed by how rare they are.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from domain.core.wire import Wire
from domain.core.words import folded_words
from domain.learnings.book import KeptLearning

K1, B = 1.2, 0.75
"""BM25: how soon more of a word counts no more, and how much a long text counts less."""

SAME_AREA = 2.0
"""What the same files count, beside words."""

MAX_WORDS = 300
"""Words of the work that are looked for, the first ones."""

_MEANINGLESS = frozenset(
    (
        *(
            "a",
            "an",
            "and",
            "are",
            "as",
            "at",
            "be",
            "but",
            "by",
            "can",
            "do",
            "for",
            "from",
            "has",
            "have",
        ),
        *(
            "if",
            "in",
            "into",
            "is",
            "it",
            "its",
            "need",
            "no",
            "not",
            "of",
            "on",
            "or",
            "our",
            "so",
            "that",
        ),
        *(
            "the",
            "then",
            "there",
            "they",
            "this",
            "to",
            "use",
            "was",
            "we",
            "when",
            "which",
            "will",
            "with",
        ),
        *(
            "you",
            "your",
            "add",
            "all",
            "any",
            "change",
            "code",
            "file",
            "files",
            "make",
            "must",
            "new",
            "should",
        ),
    )
)


class Work(Wire):
    """What somebody is about to do: in words, and the globs of the files that it is about."""

    words: str
    area: tuple[str, ...] = ()


class Ranked(NamedTuple):
    """A learning with how much it matters, and why."""

    learning: KeptLearning
    score: float
    words: tuple[str, ...] = ()
    is_same_area: bool = False


def ranked(work: Work, learnings: Sequence[KeptLearning]) -> list[Ranked]:
    """Return the learnings that matter for some work, the most relevant first.

    Of equal ones what was used more often comes first, then what was learned last.
    """
    texts = [Counter(_words_of(one)) for one in learnings]
    average = sum(text.total() for text in texts) / max(1, len(texts))
    holding = Counter(word for text in texts for word in text)
    asked = [*dict.fromkeys(_telling(work.words))][:MAX_WORDS]
    found = [
        _weigh(one, text, _weights(asked, text, holding, len(texts)), average, work)
        for one, text in zip(learnings, texts, strict=True)
    ]
    relevant = [each for each in found if each.score > 0]
    return sorted(relevant, key=_order)


def _order(each: Ranked) -> tuple[float, int, float, str]:
    one = each.learning
    return (-each.score, -one.used, -one.touched_at.timestamp(), one.learning_id)


def _weights(
    asked: Sequence[str], text: Counter[str], holding: Counter[str], count: int
) -> dict[str, float]:
    """Return what each word counts that is asked for and there: the rarer, the more."""
    return {
        word: math.log(1 + (count - holding[word] + 0.5) / (holding[word] + 0.5))
        for word in asked
        if word in text
    }


def _weigh(
    one: KeptLearning, text: Counter[str], weights: dict[str, float], average: float, work: Work
) -> Ranked:
    length = K1 * (1 - B + B * text.total() / max(1.0, average))
    score = sum(
        weight * text[word] * (K1 + 1) / (text[word] + length) for word, weight in weights.items()
    )
    is_same = is_same_area(work.area, one.origins[-1].evidence.area)
    return Ranked(one, score + SAME_AREA * is_same, tuple(weights), is_same)


def _words_of(one: KeptLearning) -> list[str]:
    """Return the words that a learning is found by: its own, those of its task's title, and of its files."""
    evidence = one.origins[-1].evidence
    return [*_telling(one.text), *_telling(evidence.title), *_telling(" ".join(evidence.area))]


def _telling(text: str) -> list[str]:
    return [word for word in folded_words(text) if len(word) > 1 and word not in _MEANINGLESS]


def is_same_area(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether globs are about the same files: what is before the first wildcard of one begins the other's."""
    mine, theirs = ({_fixed(glob) for glob in area} - {""} for area in (one, other))
    return any(_is_below(a, b) or _is_below(b, a) for a in mine for b in theirs)


def _fixed(glob: str) -> str:
    parts = glob.removeprefix("./").strip("/").split("/")
    fixed = takewhile(lambda part: not set(part) & set("*?["), parts)
    return "/".join(fixed)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
