"""Following the work on an issue, telling it there, and taking what allowed people comment."""

from collections.abc import Iterable

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from activities.tracker_issues import GONE_ISSUE, found_issue
from activities.tracker_looks import GONE, wait_of
from activities.tracker_telling import TAKEN, Following
from domain.core.approval_commands import Approve, Reject
from domain.core.command import Verdict
from domain.core.errors import NotFoundError, TreadleError, WrongStateError
from domain.core.ids import CommandId, RequestId, StreamId
from domain.core.ports import CodeKey, CommandDoor, Journal
from domain.core.status_words import status_words
from domain.forges.errors import ForgeError, ForgeGoneError
from domain.forges.issues import Issue, IssueComment
from domain.queue.commands import RemoveEntry
from domain.queue.inputs import QUEUE
from domain.threads.rules import fold
from domain.threads.state import ThreadState
from domain.trackers import words
from domain.trackers.calls import FollowResult, IssueCall
from domain.trackers.endings import Ending, ending_of, merged_words
from domain.trackers.orders import MAX_REPLIES, Order, Ruling, Verb, order_of, rule_on
from domain.trackers.ports import Trackers
from domain.trackers.state import ShownPlan, TrackedIssue

_PAGE = 500
_CLOSED = "closed"


class TrackerFollows:
    """Looks at what became of an issue's entry, and speaks with the issue."""

    def __init__(
        self, trackers: Trackers, journal: Journal, door: CommandDoor, key: CodeKey
    ) -> None:
        """`door` gives commands of people their code; it sends nothing that no allowed account commented."""
        self._trackers = trackers
        self._journal = journal
        self._door = door
        self._key = key

    @activity.defn
    async def follow_issue(self, call: IssueCall) -> FollowResult:
        """Tell an issue what is new of its work, and take comments.

        Comments of ours have keys and decisions the id of their comment, so twice is once. What a
        tracker refuses is a result; what was done before is kept. A comment that is refused for good holds nothing
        else up: it is noted in the issue, and tried again once that changed or a person asks for a look.
        """
        configured = self._trackers.find(call.name)
        if configured is None:
            return FollowResult(issue=call.issue, problem=GONE)
        following = Following(configured, call.issue)
        async with beating():
            with translated():
                try:
                    return await self._follow(following, is_asked=call.is_asked)
                except ForgeError as error:
                    return following.broken_off(error, wait_of(error))

    async def _follow(self, f: Following, *, is_asked: bool) -> FollowResult:
        state = await self._thread(f.issue.entry_id)
        ending = await self._ending(f, state) if state is not None else Ending()
        if state is not None and _is_known(f.issue, state, ending):
            return f.result()  # the tracker is not asked for work that waits to be merged
        if state is None and f.issue.leaving:
            return await self._leave(f)
        issue = await found_issue(f.configured, f.issue.ref)
        if issue is not None:
            f.change(url=issue.url or f.issue.url)
            if TAKEN in f.try_again(issue, is_asked=is_asked):
                await f.tell(TAKEN, words.taken_words(f.issue.entry_id))
        reason = f.configured.source.reason_against(issue) if issue else GONE_ISSUE
        if state is None:
            return await self._before_start(f, reason)
        f.change(is_started=True, leaving="")
        reason = "" if ending.has_ended or ending.merged else reason
        if issue is None:
            return f.result(unwanted=reason, ended=ending.outcome)
        if reason:
            await f.tell("unwanted", words.unwanted_words(reason, f.issue.entry_id))
        await self._show(f, state)
        await self._take_comments(f)
        await self._end(f, ending, issue)
        return f.result(unwanted=reason, ended=ending.outcome)

    async def _thread(self, entry_id: str) -> ThreadState | None:
        """Return the thread of an entry; None where it has not started."""
        state, after = ThreadState(), 0
        while page := await self._journal.read(StreamId(entry_id), after=after, limit=_PAGE):
            state = fold(state, [each.event.body for each in page])
            after = page[-1].position
            if len(page) < _PAGE:
                break
        return state if after else None

    async def _before_start(self, f: Following, reason: str) -> FollowResult:
        """Take comments; where the issue is not wanted any more, decide that its entry leaves the queue."""
        f.change(leaving=reason)
        if not reason:
            await self._take_comments(f)
        return f.result()

    async def _leave(self, f: Following) -> FollowResult:
        """Take the entry out of the queue, as was decided and recorded, whatever the issue says now.

        Were it not recorded first, an issue whose label comes back before a killed worker has told what it did would be lost.
        """
        leaving, turn = f.issue.leaving, f.issue.turn
        remove = RemoveEntry(
            entry_id=f.issue.entry_id,
            only_waiting=True,
            by=f"tracker {f.configured.source.name}",
            addressed_to=QUEUE,
        )
        try:
            await self._door.send(QUEUE, remove)
        except WrongStateError:
            f.change(leaving="")
            return f.result()  # it starts just now
        except NotFoundError:
            pass
        try:
            await f.tell(f"withdrawn-{turn}", words.withdrawn_words(leaving))
        except ForgeGoneError:
            return f.result(withdrawn=leaving)  # there is nobody to tell
        except ForgeError as error:
            return f.result(withdrawn=leaving, problem=error.message, wait=wait_of(error))
        return f.result(withdrawn=leaving)

    async def _show(self, f: Following, state: ThreadState) -> None:
        """Comment a plan that waits, and the pull request."""
        waiting = [plan for plan in state.plans if plan.is_among(state.requests)]
        newest = max(waiting, key=lambda plan: plan.revision, default=None)
        passed = (plan for plan in state.plans if not plan.is_among(state.requests))
        f.passed = tuple(words.shown_plan(self._key.read(), f.issue, plan) for plan in passed)
        if newest is None:
            f.change(shown=None)
        elif f.issue.shown is None or not f.issue.shown.is_of(newest.request):
            commented = words.plan_comment(self._key.read(), f.issue, newest)
            is_shown = await f.tell(f"plan-{newest.request.request_id}", commented.text)
            f.change(shown=commented.shown if is_shown else None)
        pull_request = state.publication.pull_request
        if pull_request is not None:
            told = words.pull_request_words(pull_request.url)
            await f.tell(f"pull-request-{pull_request.number}", told)
            f.change(pull_request=pull_request.url)

    async def _take_comments(self, f: Following) -> None:
        found = await f.configured.tracker.comments(f.issue.ref, f.issue.seen)
        for comment in _unread(found, f.issue.seen):
            order = order_of(comment)
            if order is not None and not comment.author.is_bot:
                reply = await self._repeated(f, order, comment)
                if not reply:
                    ruling = rule_on(order, comment, f.issue.shown, f.configured.source)
                    reply = await self._carry_out(f, ruling, comment)
                await self._reply(f, reply, comment)
            f.change(seen=comment.id)

    async def _repeated(self, f: Following, order: Order, comment: IssueComment) -> str:
        """Return the reply to a comment that decided about a plan before a worker was killed; empty for every other.

        The plan waits no more, so that the thread decides nothing by it, and only answers what it has answered before.
        """
        for plan in f.passed:
            ruling = rule_on(order, comment, plan, f.configured.source)
            if ruling.verb in {Verb.APPROVE, Verb.REJECT}:
                try:
                    return await self._decide(f, plan, ruling, comment)
                except TreadleError as error:
                    if error.is_retryable:
                        raise
        return ""

    async def _carry_out(self, f: Following, ruling: Ruling, comment: IssueComment) -> str:
        """Do what a comment asks; returns what to reply."""
        if ruling.verb is Verb.STATUS:
            return words.status_words_of(f.issue.entry_id, f.issue.status)
        if ruling.verb is None or f.issue.shown is None:
            return ruling.reply
        try:
            return await self._decide(f, f.issue.shown, ruling, comment)
        except TreadleError as error:
            if error.is_retryable:
                raise
            return words.undecided_words(ruling.person, error.message)

    async def _reply(self, f: Following, reply: str, comment: IssueComment) -> None:
        if f.issue.replies < MAX_REPLIES:
            f.change(replies=f.issue.replies + 1)
            await f.reply(comment.id, reply)

    async def _decide(
        self, f: Following, shown: ShownPlan, ruling: Ruling, comment: IssueComment
    ) -> str:
        """Decide as the person of an account; returns what to reply.

        Whether the person may, the thread asks, as at every door: by their role and by the rule of four eyes.
        """
        verdict = _verdict(ruling, shown.request_id, shown.content_hash).model_copy(
            update={"command_id": CommandId(f"{f.issue.ref.tracker}/{comment.id}"[:300])}
        )
        answer = await self._door.send(f.issue.entry_id, verdict)
        f.said.append(f"{ruling.verb} by {ruling.person}")
        return words.decided_words(shown, ruling.person, answer)

    async def _ending(self, f: Following, state: ThreadState) -> Ending:
        """Return how far the work is; notes its status."""
        lines = await self._journal.open_headlines([f.issue.entry_id])
        line = next((each for each in lines if each.stream == f.issue.entry_id), None)
        if line is None:
            return Ending()
        f.change(status=status_words(line.status, line.waiting_for))
        return ending_of(state, line.status, is_archived=line.is_archived)

    async def _end(self, f: Following, ending: Ending, issue: Issue) -> None:
        """Tell how the work ended; an issue whose pull request was merged is closed, where that is wanted.

        It is closed once: whoever opens it again has it open.
        """
        if ending.merged is not None:
            told = merged_words(f.issue.pull_request, ending.merged)
            await f.tell(f"merged-{ending.merged.number}", told)
            if f.configured.source.close and issue.is_open:
                await f.once(_CLOSED, lambda: f.configured.tracker.close(f.issue.ref))
            elif f.configured.source.close and _CLOSED not in f.issue.told:
                f.change(told=(*f.issue.told, _CLOSED))
        elif ending.has_ended:
            outcome = ending.outcome or f.issue.status
            await f.tell("ended", words.ended_words(f.issue.entry_id, f.issue.status))
            if ending.is_over and outcome != f.issue.status:
                await f.tell("over", words.ended_words(f.issue.entry_id, outcome))


def _is_known(issue: TrackedIssue, state: ThreadState, ending: Ending) -> bool:
    """Tell whether all of completed work was told, and it waits to be published or merged."""
    found = state.publication.pull_request
    is_told = found is None or found.url == issue.pull_request
    is_told = is_told and issue.untold is None
    return "ended" in issue.told and is_told and not ending.is_over and ending.merged is None


def _verdict(ruling: Ruling, request_id: str, content: str) -> Verdict:
    asked = {"request_id": RequestId(request_id), "content_hash": content, "by": ruling.person}
    if ruling.verb is Verb.APPROVE:
        return Approve.model_validate({**asked, "is_acknowledged": True})
    return Reject.model_validate({**asked, "feedback": ruling.reason})


def _unread(found: Iterable[IssueComment], seen: str) -> list[IssueComment]:
    """Return the comments behind one, whatever else the tracker repeats."""
    listed = list(found)
    places = [n for n, comment in enumerate(listed) if comment.id == seen]
    return listed[places[-1] + 1 :] if places else listed
