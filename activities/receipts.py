"""Receipts of what is published: as the note of its commit, and told in its pull request."""

from datetime import datetime

from temporalio import activity

from activities.receipt_statuses import ReceiptStatuses
from domain.core.errors import TreadleError
from domain.core.event import Event
from domain.core.ids import EventId, StreamId, ThreadId
from domain.evidence.errors import NoReceiptError
from domain.evidence.ports import ReceiptNotes, ReceiptSource
from domain.evidence.section import with_section
from domain.evidence.words import sections_of
from domain.forges.ports import PullRequests
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.events import BranchPublished
from domain.threads.publishing.publication import PushedBranch

_MAX_FAILURE = 500


class PublishedReceipts:
    """Keeps and tells the receipts of what is published; what fails here fails no publication."""

    def __init__(self, receipts: ReceiptSource, notes: ReceiptNotes) -> None:
        self._receipts = receipts
        self._notes = notes

    def statuses(self, forge: PullRequests | None) -> ReceiptStatuses | None:
        """Return what shows the same receipts on a forge; None without one."""
        return ReceiptStatuses(self._receipts, self._notes, forge) if forge else None

    async def note(self, call: PushCall, pushed: PushedBranch, at: datetime) -> str:
        """Keep the receipt of what was pushed as a note of its commit, and push that to the same remote.

        Once for each commit and tree. Returns why that failed, for people; empty where it did not.
        """
        thread = call.thread
        event = Event(
            id=EventId(f"{thread}:pushed"),
            stream=StreamId(thread),
            at=at,
            body=BranchPublished(pushed=pushed),
        )
        try:
            statement = await self._receipts.stated(ThreadId(thread), pushed=event)
            signed = self._receipts.signed(statement)
            await self._notes.keep(call.repository, pushed.commit, signed)
            await self._notes.push(call)
        except TreadleError as error:
            extra = {"thread_id": thread, "type": error.type}
            activity.logger.warning("receipt not kept or pushed as a note", extra=extra)
            return error.message[:_MAX_FAILURE]
        return ""

    async def told_in(self, body: str, thread: str) -> str:
        """Return the body of a pull request with the receipt of what its thread published."""
        try:
            statement = await self._receipts.stated(ThreadId(thread))
        except NoReceiptError:
            return body
        return with_section(body, *sections_of(statement, self._receipts.fingerprint))
