"""What a search gives: the passages that hold all of its words, with the place of each word."""

import unicodedata
from collections.abc import Sequence
from datetime import datetime

from domain.core.ids import StreamId
from domain.core.wire import Wire
from domain.core.words import Term, first_place, words_in
from domain.reading.listing import NEWEST
from domain.reading.search.passages import Speaker

PAGE = 20
_BEFORE, _AFTER = 60, 200
"""Characters of an excerpt around the first word that was found."""


class SearchQuery(Wire):
    """One page of finds, newest first; `before` is the position of the last find of the page before.

    `top` is the thread or flow run that is looked into, `project` a repository's folder or its last name.
    """

    terms: tuple[Term, ...]
    top: str | None = None
    project: str | None = None
    projects: tuple[str, ...] | None = None
    before: int = NEWEST
    limit: int = PAGE


class Piece(Wire):
    """A piece of an excerpt; `is_match` marks the words that were looked for."""

    text: str
    is_match: bool = False


class Find(Wire):
    """A passage that holds all words: where it is, whose words it is, and an excerpt.

    `top` is its thread or flow run, of which `title` and `project` are.
    """

    position: int
    stream: StreamId
    top: StreamId
    title: str
    project: str
    is_archived: bool = False
    at: datetime
    speaker: Speaker
    by: str = ""
    excerpt: tuple[Piece, ...]


def excerpt_of(text: str, terms: Sequence[Term]) -> tuple[Piece, ...]:
    """Return the part of a text around the first word that was looked for, all such words marked."""
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    words = [*words_in(text)]
    begun = {term.words[-1] for term in terms if not term.is_exact}
    whole = {word for term in terms for word in (term.words if term.is_exact else term.words[:-1])}
    places = [place for term in terms if (place := first_place(words, term)) is not None]
    first = words[min(places)].start if places else 0
    start = max(0, first - _BEFORE)
    end = min(len(text), first + _AFTER)
    pieces, at = [Piece(text="…")] if start else [], start
    for word in words:
        is_match = word.folded in whole or any(word.folded.startswith(part) for part in begun)
        if is_match and word.start >= start and word.end <= end:
            pieces += [Piece(text=text[at : word.start])] if word.start > at else []
            pieces.append(Piece(text=text[word.start : word.end], is_match=True))
            at = word.end
    rest = text[at:end] + ("…" if end < len(text) else "")
    return (*pieces, *((Piece(text=rest),) if rest else ()))
