"""The pull requests of a thread, rebuilt from their events."""

from typing import Any

from domain.core.event import Event
from domain.publications.rules import PUBLICATION_RULES
from domain.publications.state import PublicationState
from domain.publications.views import WatchedPullRequest, watched
from domain.threads.state import ThreadState


class PullRequests:
    """What is known of each, the one that something happened to last being the newest."""

    def __init__(self) -> None:
        self._states: dict[str, PublicationState] = {}

    def add(self, event: Event) -> None:
        """Fold the next event of one of them."""
        before = self._states.pop(event.stream, PublicationState())
        self._states[event.stream] = PUBLICATION_RULES.evolve(before, event.body)

    def newest(self) -> WatchedPullRequest | None:
        """Return the newest one, None where none was watched."""
        newest = next(reversed(self._states.items()), None)
        return watched(*newest) if newest else None

    def with_branch(self, thread: ThreadState) -> dict[str, Any]:
        """Return what a thread's view has of where its branch went, by the names of its fields."""
        newest = self.newest()
        return {
            "publication": thread.publication,
            "landing": thread.landing,
            "pull_request": newest,
        }
