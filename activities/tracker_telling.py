"""Telling an issue something once, also where its tracker refuses that for good."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from domain.forges.errors import ForgeError
from domain.forges.issues import Issue, IssueId
from domain.trackers.calls import FollowResult
from domain.trackers.ports import ConfiguredTracker
from domain.trackers.state import ShownPlan, TrackedIssue, Untold

TAKEN = "taken"
"""What the comment is called that says that an issue is in the queue."""


async def untold_by(
    configured: ConfiguredTracker, ref: IssueId, what: str, act: Callable[[], Awaitable[object]]
) -> Untold | None:
    """Comment on an issue or close it; returns why that is refused for good, None where it was done.

    Only where the issue can still be read: what refuses that as well is the tracker's trouble, not the issue's.

    Raises:
        ForgeError: The tracker is busy, or its issue cannot be read either.
    """
    try:
        await act()
    except ForgeError as error:
        if error.is_retryable:
            raise
        issue = await configured.tracker.issue(ref)
        return Untold(what=(what,), reason=error.message, updated_at=issue.updated_at)
    return None


@dataclass
class Following:
    """An issue while it is followed: what is done is kept, though something after it fails."""

    configured: ConfiguredTracker
    issue: TrackedIssue
    said: list[str] = field(default_factory=list[str])
    passed: tuple[ShownPlan, ...] = ()
    """The plans that are not asked about any more."""

    _refused_before: Untold | None = None

    def change(self, **changes: Any) -> None:
        """Change what is known of the issue."""
        self.issue = self.issue.model_copy(update=changes)

    async def tell(self, what: str, text: str) -> bool:
        """Comment something once: what was told is remembered, and the comment has a key besides."""
        return await self.once(what, lambda: self._comment(what, text))

    async def once(self, what: str, act: Callable[[], Awaitable[object]]) -> bool:
        """Do something to the issue once; returns whether it is done, now or before.

        What the tracker refuses for good is noted, and not tried again before `try_again` says so.
        """
        untold = self.issue.untold
        if what in self.issue.told or (untold is not None and what in untold.what):
            return what in self.issue.told
        refused = await untold_by(self.configured, self.issue.ref, what, act)
        if refused is not None:
            self.note(refused)
            return False
        self.change(told=(*self.issue.told, what))
        self.said.append(what)
        return True

    async def reply(self, name: str, text: str) -> None:
        """Answer a comment; an answer that is refused for good is noted, and given up."""
        key = f"reply/{name}"
        refused = await untold_by(
            self.configured, self.issue.ref, key, lambda: self._comment(key, text)
        )
        if refused is not None:
            self.note(refused)

    def note(self, refused: Untold) -> None:
        """Note what is refused; it is said once, however often it is tried."""
        before, known = self._refused_before, self.issue.untold
        is_new = before is None or before.reason != refused.reason
        for what in refused.what:
            if before is None or is_new or what not in before.what:
                self.said.append(f"{what} refused: {refused.reason}")
        earlier = known.what if known else ()
        self.change(untold=refused.model_copy(update={"what": (*earlier, *refused.what)}))

    def try_again(self, issue: Issue, *, is_asked: bool) -> tuple[str, ...]:
        """Forget what was refused where the issue changed since, or a person asks; returns what that was."""
        untold = self.issue.untold
        if untold is None or not (is_asked or issue.updated_at != untold.updated_at):
            return ()
        self._refused_before = untold
        self.change(untold=None)
        return untold.what

    def result(self, **more: Any) -> FollowResult:
        """Return how far it came."""
        return FollowResult(issue=self.issue, said=tuple(self.said), **more)

    def broken_off(self, error: ForgeError, wait: float) -> FollowResult:
        """Return how far it came before the tracker failed; what was not tried again by then stays refused."""
        before, untold = self._refused_before, self.issue.untold
        if before is not None:
            refused = untold.what if untold else ()
            left = [name for name in before.what if name not in (*self.issue.told, *refused)]
            kept = before.model_copy(update={"what": (*refused, *left)})
            self.change(untold=kept if left else untold)
        return self.result(problem=error.message, wait=wait)

    async def _comment(self, what: str, text: str) -> None:
        key = f"{self.issue.entry_id}/{what}"
        await self.configured.tracker.comment(self.issue.ref, text, key)
