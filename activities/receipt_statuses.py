"""The status of a pull request's head commit by its thread's receipt, and the receipt's section in the body."""

from datetime import UTC, datetime

from temporalio import activity

from domain.core.errors import TreadleError
from domain.core.ids import ThreadId
from domain.evidence.errors import NoReceiptError
from domain.evidence.issuing import Receipts
from domain.evidence.ports import ReceiptNotes
from domain.evidence.receipt import Statement
from domain.evidence.section import BEGIN, END, with_section
from domain.evidence.statuses import is_valid_for, status_of
from domain.evidence.words import section_of, void_section_of
from domain.forges.errors import ForgeBusyError
from domain.forges.ports import PullRequests
from domain.forges.pull_requests import MAX_FOREIGN_TEXT, PullRequestState, PullRequestView
from domain.publications.calls import LookCall


class ReceiptStatuses:
    """Shows on a forge whether a receipt is of what a pull request has now; what fails here fails no look."""

    def __init__(self, receipts: Receipts, notes: ReceiptNotes, forge: PullRequests) -> None:
        self._receipts = receipts
        self._notes = notes
        self._forge = forge

    async def show(self, call: LookCall, view: PullRequestView) -> bool:
        """Set the status and write the section; returns False where it is to be tried again.

        Both replace what was there, so once more changes nothing. A forge that refuses is not asked again
        until there is another head.
        """
        if not call.thread or view.state is not PullRequestState.OPEN:
            return True
        try:
            statement = await self._receipts.stated(ThreadId(call.thread))
            if view.head_commit == call.pushed != statement.commit:
                return False  # it was pushed a moment ago, and the journal does not say so yet
            await self._show(call, view, statement)
        except NoReceiptError:
            return view.head_commit != call.pushed
        except ForgeBusyError:
            return False
        except TreadleError as error:
            activity.logger.warning(
                "receipt not shown on the forge",
                extra={"thread_id": call.thread, "type": error.type},
            )
        return True

    async def _show(self, call: LookCall, view: PullRequestView, statement: Statement) -> None:
        head = view.head_commit
        is_known = head == statement.commit or not call.repository
        tree = None if is_known else await self._notes.tree(call.repository, head)
        is_valid = is_valid_for(statement, head, tree)
        status = status_of(statement, is_valid=is_valid)
        await self._forge.set_status(call.of.project, head, status)
        section = (
            section_of(statement, self._receipts.key.public.fingerprint)
            if is_valid
            else void_section_of(statement.tree, head, _today())
        )
        body = view.body or ""
        if BEGIN not in body or END not in body or len(body) >= MAX_FOREIGN_TEXT:
            return  # somebody took the section out, or the look has a part of the body only
        if (new := with_section(body, section)) != body:
            await self._forge.edit(call.of, body=new)


def _today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")
