"""The pull requests of a thread, rebuilt from their events."""

from typing import Any

from domain.core.event import Event
from domain.core.ids import publication_id
from domain.publications.rules import PUBLICATION_RULES
from domain.publications.state import PublicationState
from domain.publications.views import WatchedPullRequest, watched
from domain.threads.publishing.stacking import offered
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
        publication = thread.publication
        return {
            "publication": publication,
            "publish_as": offered(thread),
            "landing": thread.landing,
            "pull_request": self._of(thread, publication.watched) or self.newest(),
            "stacked": tuple(
                found
                for layer in publication.stack
                if layer.number != publication.watched and (found := self._of(thread, layer.number))
            ),
        }

    def _of(self, thread: ThreadState, number: int) -> WatchedPullRequest | None:
        """Return the pull request with a number, where it is of a stack that is watched."""
        name = publication_id(thread.thread_id, number)
        is_its = any(layer.number == number for layer in thread.publication.stack)
        return watched(name, self._states[name]) if is_its and name in self._states else None
