"""Words as searches compare them: case, accents and ways of writing a letter make no difference."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.core.errors import InvalidError

MAX_TERMS = 16
MAX_WORD = 100
"""Letters by which a word is known; what follows makes no difference."""

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+"
)
"""A run of letters and digits; a sign of Chinese or Japanese is a word of its own."""

_TERM = re.compile(r'"([^"]*)"?|(\S+)')


class EmptySearchError(InvalidError):
    """A search holds no word."""

    type = "empty_search"


class Word(NamedTuple):
    """A word as it is compared, and where it stands in its text."""

    folded: str
    start: int
    end: int


class Term(NamedTuple):
    """Words that follow one another; of one that is not `is_exact` the last word is only begun."""

    words: tuple[str, ...]
    is_exact: bool = False


def words_in(text: str) -> Iterator[Word]:
    """Yield the words of a text in order; it should be normalized (NFC)."""
    for found in _WORD.finditer(text):
        folded = unicodedata.normalize("NFKD", found[0].casefold())
        if word := "".join(filter(str.isalnum, folded))[:MAX_WORD]:
            yield Word(word, found.start(), found.end())


def folded_words(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return [word.folded for word in words_in(unicodedata.normalize("NFC", text))]


def terms_of(query: str) -> tuple[Term, ...]:
    """Return what a text must hold, all of it: words by their beginnings, and "quoted phrases" whole.

    Raises:
        EmptySearchError: It holds no word.
    """
    terms = [
        Term(words, is_exact=found[2] is None)
        for found in _TERM.finditer(query)
        if (words := tuple(folded_words(found[1] or found[2] or "")))
    ]
    if not terms:
        raise EmptySearchError("the search holds no word: enter letters or digits")
    return tuple(dict.fromkeys(terms))[:MAX_TERMS]


def first_place(words: Sequence[Word], term: Term) -> int | None:
    """Return the number of the word at which a term begins; None where it does not occur."""
    *whole, last = term.words
    for start in range(len(words) - len(whole)):
        end = words[start + len(whole)].folded
        is_begun = [word.folded for word in words[start : start + len(whole)]] == whole
        if is_begun and (end == last if term.is_exact else end.startswith(last)):
            return start
    return None
