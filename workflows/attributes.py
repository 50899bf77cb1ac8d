"""What the Temporal Web UI shows of a workflow: search attributes and current details."""

from temporalio import workflow
from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

KIND = SearchAttributeKey.for_keyword("TreadleKind")
PROJECT = SearchAttributeKey.for_keyword("TreadleProject")
STATUS = SearchAttributeKey.for_keyword("TreadleStatus")
WAITING_FOR = SearchAttributeKey.for_keyword("TreadleWaitingFor")

MAX_SHOWN = 160
"""Characters of an attribute: above 2,048 bytes Temporal ends the workflow that sets it."""


def at_start(kind: str, project: str, status: str) -> TypedSearchAttributes:
    """Return the attributes that a workflow is started with."""
    return TypedSearchAttributes(
        [
            SearchAttributePair(KIND, kind),
            SearchAttributePair(PROJECT, project),
            SearchAttributePair(STATUS, status),
        ]
    )


def project_name(repository: str) -> str:
    """Return a repository's short name."""
    return (repository.rstrip("/").rsplit("/", 1)[-1] or repository)[:MAX_SHOWN]


class Shown:
    """What was last shown, so that nothing is written to the history twice."""

    def __init__(self, status: str) -> None:
        self._status = status
        self._waiting_for = ""

    def show(self, status: str, waiting_for: str, details: str) -> None:
        """Show where a workflow stands; costs no event unless status or question changed."""
        workflow.set_current_details(details)
        waiting_for = waiting_for[:MAX_SHOWN]
        if (status, waiting_for) == (self._status, self._waiting_for):
            return
        workflow.upsert_search_attributes(  # pyright: ignore[reportUnknownMemberType] SDK's type
            [STATUS.value_set(status), WAITING_FOR.value_set(waiting_for)]
        )
        self._status, self._waiting_for = status, waiting_for
