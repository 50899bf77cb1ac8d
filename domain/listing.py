"""Which threads a list shows: the question, and how a thread's words are compared with it."""

import unicodedata

from domain.wire import Wire

PAGE = 100
NEWEST = 2**53 - 1
"""A cursor in front of every thread."""


class ThreadQuery(Wire):
    """One page of a list of threads, the latest changed first.

    `words` are looked for in ids, titles and goals, each on its own. `project` is a repository's
    folder, or only its last name. `before` is the `changed` of the page's predecessor.
    """

    words: str = ""
    status: str | None = None
    project: str | None = None
    is_archived: bool = False
    before: int = NEWEST
    limit: int = PAGE

    @property
    def terms(self) -> list[str]:
        """The words as they are compared."""
        return comparable(self.words).split()


def comparable(text: str) -> str:
    """Return a text as searches compare it: case and ways of writing a letter make no difference."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
