"""Looking at trackers, and putting issues into the queue."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from activities.tracker_issues import GONE_ISSUE, found_issue
from activities.tracker_telling import TAKEN, Following
from domain.core.errors import TreadleError
from domain.core.ids import StreamId, tracker_id
from domain.core.ports import Journal
from domain.forges.errors import ForgeBusyError, ForgeError
from domain.forges.issues import Issue
from domain.queue.commands import EnqueueScheduled
from domain.queue.entry import NewEntry
from domain.queue.errors import QueueFullError
from domain.trackers.calls import EnqueueResult, IssueCall, LookCall, LookResult, SeenIssue
from domain.trackers.goal import link_of
from domain.trackers.ports import ConfiguredTracker, EntryDoor, Trackers
from domain.trackers.words import taken_words

GONE = "config.toml has no tracker of this name now: put it back, or pause this one"
STRANGER = (
    "its author may not set work going here, and nobody who may has set the label: an account that may "
    "removes the label and sets it again"
)
STRANGER_UNLABELLED = "its author may not set work going here: name the account under `allowed` of this tracker in config.toml"
_TITLE = 200


def wait_of(error: ForgeError) -> float:
    """Return how many seconds a tracker wants to be left alone."""
    wait = error.wait if isinstance(error, ForgeBusyError) else None
    return wait.total_seconds() if wait else 0.0


class TrackerLooks:
    """Asks trackers what changed, and tells the queue of it."""

    def __init__(self, trackers: Trackers, journal: Journal, queue: EntryDoor) -> None:
        self._trackers = trackers
        self._journal = journal
        self._queue = queue

    @activity.defn
    async def look_for_issues(self, call: LookCall) -> LookResult:
        """Return the issues that changed; reads only, so twice is once.

        A tracker that refuses or does not answer is a result: the workflow asks again in time.
        """
        configured = self._trackers.find(call.name)
        if configured is None:
            return LookResult(cursor=call.cursor, tags=call.tags, problem=GONE)
        source, tracker = configured
        async with beating():
            try:
                page = await tracker.changed_issues(source.issues, call.cursor, call.tags)
                seen = [
                    await self._seen(issue, configured, call.known) for issue in page.issues or ()
                ]
            except ForgeError as error:
                wait = wait_of(error)
                return LookResult(
                    cursor=call.cursor, tags=call.tags, problem=error.message, wait=wait
                )
        return LookResult(
            issues=tuple(each for each in seen if each is not None),
            cursor=page.cursor or call.cursor,
            tags=page.tags,
            has_more=page.has_more,
            wait=page.wait,
        )

    async def _seen(
        self, issue: Issue, configured: ConfiguredTracker, known: tuple[str, ...]
    ) -> SeenIssue | None:
        """Return an issue with what speaks against it; None where it is not wanted, or at work already."""
        source, tracker = configured
        if issue.ref.id in known or source.reason_against(issue):
            return None
        by = await tracker.labelled_by(issue.ref, source.label) if source.label else None
        against = STRANGER if source.label else STRANGER_UNLABELLED
        reason = "" if source.takes_from(issue, by) else against
        bare = issue.model_copy(update={"body": "", "assignees": (), "labels": frozenset[str]()})
        return SeenIssue(issue=bare, tracker=f"{source.kind} {source.host}", reason=reason)

    @activity.defn
    async def enqueue_issue(self, call: IssueCall) -> EnqueueResult:
        """Put an issue's entry into the queue, and say so there.

        The entry's id is the issue's, so the queue takes it once; where the journal knows a thread of that
        id it has started, and perhaps ended, and nothing is put there. The comment has a key; where the tracker
        refuses it for good, the entry is in the queue all the same.
        """
        configured = self._trackers.find(call.name)
        if configured is None:
            return EnqueueResult(problem=GONE)
        with translated():
            try:
                issue = await found_issue(configured, call.issue.ref)
                if issue is None:
                    return EnqueueResult(refusal=GONE_ISSUE)
                if not await self._journal.read(StreamId(call.issue.entry_id), limit=1):
                    await self._enqueue(call, issue, configured)
                following = Following(configured, call.issue)
                await following.tell(TAKEN, taken_words(call.issue.entry_id))
            except ForgeError as error:
                return EnqueueResult(problem=error.message, wait=wait_of(error))
            except QueueFullError as error:
                return EnqueueResult(problem=error.message)
            except TreadleError as error:
                if error.is_retryable:
                    raise
                return EnqueueResult(refusal=error.message)
        return EnqueueResult(untold=following.issue.untold)

    async def _enqueue(self, call: IssueCall, issue: Issue, configured: ConfiguredTracker) -> None:
        source = configured.source
        begun = self._trackers.prepare(source, issue, call.issue.entry_id)
        entry = NewEntry(
            entry_id=call.issue.entry_id,
            title=" ".join(f"{issue.ref.key} {issue.title}".split())[:_TITLE],
            project=source.repository,
            spec_ref=await self._journal.put_text(begun.model_dump_json()),
            series=tracker_id(source.name),
            issue=link_of(issue),
        )
        by = f"tracker {source.name}"
        await self._queue.enqueue(EnqueueScheduled(entry=entry, overlap="queue", by=by))
