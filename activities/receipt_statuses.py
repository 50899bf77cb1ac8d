"""The status of a pull request's head commit by its thread's receipt, and the receipt's section in the body."""

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import NamedTuple

from temporalio import activity

from domain.core.errors import TreadleError
from domain.core.ids import ThreadId
from domain.evidence.errors import NoReceiptError
from domain.evidence.ports import ReceiptNotes, ReceiptSource
from domain.evidence.receipt import Statement
from domain.evidence.section import has_section, with_section
from domain.evidence.statuses import standing_of, status_of
from domain.evidence.words import is_void_in, sections_of, void_section_of
from domain.forges.errors import ForgeBusyError
from domain.forges.ports import PullRequests
from domain.forges.pull_requests import PullRequestState, PullRequestView
from domain.publications.calls import LookCall
from domain.publications.head_receipts import HeadReceipt


class Shown(NamedTuple):
    """How the receipt stands, if there is one; and whether the forge shows it, or is to be asked again."""

    receipt: HeadReceipt | None = None
    is_done: bool = True


class ReceiptStatuses:
    """Shows on a forge whether a receipt is of what a pull request has now; what fails here fails no look."""

    def __init__(self, receipts: ReceiptSource, notes: ReceiptNotes, forge: PullRequests) -> None:
        self._receipts = receipts
        self._notes = notes
        self._forge = forge

    async def show(self, call: LookCall, view: PullRequestView) -> Shown:
        """Set the status and write the section.

        Both replace what was there, so once more changes nothing. A forge that refuses is not asked again
        until there is another head.
        """
        if not call.thread or view.state is not PullRequestState.OPEN:
            return Shown()
        head = view.head_commit
        try:
            statement = await self._receipts.stated(ThreadId(call.thread))
            if head == call.pushed != statement.commit:
                return Shown(is_done=False)  # it was pushed a moment ago: the journal has it soon
            tree = await self._tree(call, head, statement)
        except NoReceiptError:
            return Shown(is_done=head != call.pushed)
        except TreadleError as error:
            _warn(call, error)
            return Shown()
        standing = standing_of(statement, head, tree)
        status = status_of(statement, standing)
        is_set = await self._tried(call, self._forge.set_status(call.of.project, head, status))
        is_told = await self._tried(call, self._tell(call, statement, standing))
        return Shown(standing, is_done=is_set and is_told)

    async def _tree(self, call: LookCall, head: str, statement: Statement) -> str | None:
        """Return the tree of the head, where it is another commit than the receipt's and is here."""
        is_known = head == statement.commit or not call.repository
        return None if is_known else await self._notes.tree(call.repository, head)

    async def _tell(self, call: LookCall, statement: Statement, standing: HeadReceipt) -> None:
        """Write the section anew, unless somebody took it out; what people wrote stays whole."""
        body = await self._forge.body(call.of)
        tree, commit = statement.tree, standing.commit
        if not has_section(body) or (standing.is_void and is_void_in(body, tree, commit)):
            return
        sections = (
            (void_section_of(tree, commit, _today()),)
            if standing.is_void
            else sections_of(statement, self._receipts.fingerprint)
        )
        new = with_section(body, *sections)
        if new.strip() != body.strip():
            await self._forge.edit(call.of, body=new)

    async def _tried(self, call: LookCall, asked: Awaitable[None]) -> bool:
        """Return whether a forge took something, or refuses it for good; not where it is busy."""
        try:
            await asked
        except ForgeBusyError:
            return False
        except TreadleError as error:
            _warn(call, error)
        return True


def _warn(call: LookCall, error: TreadleError) -> None:
    extra = {"thread_id": call.thread, "type": error.type}
    activity.logger.warning("receipt not shown on the forge", extra=extra)


def _today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")
