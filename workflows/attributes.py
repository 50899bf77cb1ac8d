"""What Temporal's lists show of a workflow: title and search attributes, none with a secret."""

from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

from domain.core.listing import KEYWORDS, MAX_SHOWN, TITLE, Listing, listed_status
from domain.core.seals import Public
from domain.core.secret_forms import without_split_secrets
from domain.core.summaries import bounded

KEYS = {name: SearchAttributeKey.for_keyword(name) for name in KEYWORDS}
TITLE_KEY = SearchAttributeKey.for_text(TITLE)


def listed(listing: Listing) -> dict[str, Any]:
    """Return the options that a workflow is started with so that lists show what it is."""
    pairs = [SearchAttributePair(KEYS[name], value) for name, value in listing.keywords.items()]
    title = listing.shown_title
    titled = [SearchAttributePair(TITLE_KEY, title)] if title else []
    watching = {"watches": Public(listing.watches)} if listing.watches else {}
    return {
        "static_summary": Public(title or listing.kind),
        "static_details": Public(listing.details),
        "search_attributes": TypedSearchAttributes([*pairs, *titled]),
        "memo": {"title": Public(title), **watching},
    }


class Shown:
    """What was last shown, so that nothing is written to the history twice."""

    def __init__(self, status: str, title: str = "") -> None:
        self._status = status
        self._waiting_for = ""
        self._title = bounded(title)

    def show(self, status: str, waiting_for: str) -> None:
        """Show where a workflow stands; costs no event unless status or question changed."""
        whole, waiting_for = waiting_for, waiting_for[:MAX_SHOWN]
        if (status, waiting_for) == (self._status, self._waiting_for):
            return
        asked = without_split_secrets(whole)[:MAX_SHOWN]
        updates = [
            KEYS["TreadleStatus"].value_set(listed_status(status, waiting_for)),
            KEYS["TreadleWaitingFor"].value_set(asked),
        ]
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType] SDK's type
        self._status, self._waiting_for = status, waiting_for

    def rename(self, title: str) -> None:
        """Show another title, in lists and in the memo; the same one costs no event."""
        title = bounded(title)
        if title == self._title:
            return
        workflow.upsert_search_attributes([TITLE_KEY.value_set(title)])  # pyright: ignore[reportUnknownMemberType] SDK's type
        workflow.upsert_memo({"title": Public(title)})
        self._title = title
