"""TrackerWorkflow: one configured tracker, whose issues become entries of the queue."""

from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, cast

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from activities.tracker_follows import TrackerFollows
from activities.tracker_looks import TrackerLooks
from domain.core.event import Headline
from domain.core.ids import tracker_id
from domain.core.seals import Unsealed
from domain.core.wire import Wire
from domain.forges.hints import ForgeHint
from domain.trackers.calls import FollowResult, IssueCall, LookCall, TrackerInput
from domain.trackers.commands import PauseTracker
from domain.trackers.effects import WatchTracker
from domain.trackers.notes import NoteEnqueued, NoteFollowed, NoteLook
from domain.trackers.pace import Pace
from domain.trackers.rules import TRACKER_RULES
from domain.trackers.state import Stage, TrackedIssue, TrackerState
from domain.trackers.status import headline_words
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors, receives
from workflows.effect_loop import EffectLoop
from workflows.starts import check_start
from workflows.summaries import shown

MAX_PAGES = 20
"""Pages of one look that follow each other at once; a longer backlog goes on at the next look."""


@workflow.defn(name="Tracker")
@doors(*TRACKER_RULES.commands)
@receives(look=ForgeHint)
class TrackerWorkflow(EffectLoop[TrackerState, WatchTracker]):
    """One tracker; it lives for ever. What is configured the activities read, each time."""

    rules = TRACKER_RULES
    cancels = PauseTracker

    @workflow.init
    def __init__(self, tracker: TrackerInput) -> None:
        # its id is no secret: one that nobody of ours began must end, not block its place
        self._is_ours = not isinstance(cast("object", tracker), Unsealed)
        tracker = tracker if self._is_ours else TrackerInput(name="")
        self._stream = tracker_id(tracker.name)
        prefix = f"{self._stream}:{workflow.info().first_execution_run_id}"
        super().__init__(tracker, self._stream, prefix)
        self._name = tracker.name
        self._state = tracker.carried or TrackerState()
        self._shown = Shown("idle")
        self._pace = Pace()
        self._is_hinted = False
        self._is_asked = False
        self._is_resting = False

    @workflow.run
    async def run(self, tracker: TrackerInput) -> None:
        """Watch the tracker for ever."""
        if not self._is_ours:
            raise ApplicationError("not started by Treadle", type="forbidden", non_retryable=True)
        is_carried = tracker.carried is not None
        check_start(self._stream, self._stream, is_carried=is_carried, is_child=False)
        self.show()
        await self.live()
        self.carry_over()

    def receive(self, message: Wire) -> None:
        """Take a hint: the next look is at once. What it says beside is not believed.

        With one of the whole tracker, as a person's wish for a look is, what issues refused is tried again.
        """
        if isinstance(message, ForgeHint) and message.concerns_issues:
            self._is_hinted = True
            self._is_asked = self._is_asked or (message.tracker != "" and message.issue is None)

    # --- the loop's questions

    @property
    def is_over(self) -> bool:
        """A tracker is never over."""
        return False

    def carry_out(self, effect: WatchTracker) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect."""
        del effect
        return self._watch()

    def must_stop(self, effect: WatchTracker) -> bool:
        """Tell whether an effect must stop: it ends by itself when it is paused."""
        del effect
        return False

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect: the watch, while it waits for its time."""
        return self._is_resting and super().can_resume(key)

    async def _watch(self) -> None:
        while not self._state.is_paused:
            self._is_hinted = False
            is_asked, self._is_asked = self._is_asked, False
            before = self._state
            wait = await self._look()
            await self._enqueue_taken()
            wait = max(wait, await self._follow_open(is_asked=is_asked))
            is_changed = self._state is not before
            has_open = any(True for _ in self._state.open)
            self._pace = self._pace.after(is_changed=is_changed, has_open=has_open, wait=wait)
            await self._rest()

    async def _rest(self) -> None:
        """Wait for the time of the next look, a hint or a pause; what the tracker asks for is waited for first."""
        if self._pace.forced:
            await workflow.sleep(self._pace.forced, summary=shown("the tracker asks for a pause"))
        self._is_resting = True
        with suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self._is_hinted or self._state.is_paused,
                timeout=self._pace.seconds,
                timeout_summary=shown("the next look at the tracker"),
            )
        self._is_resting = False

    async def _look(self) -> float:
        """Look until nothing more is there; returns how long the tracker wants to be left alone."""
        for _ in range(MAX_PAGES):
            state = self._state
            known = tuple(issue.ref.id for issue in state.open)
            call = LookCall(name=self._name, cursor=state.cursor, tags=state.tags, known=known)
            result = await self.run_activity(TrackerLooks.look_for_issues, call, options.SETTLE)
            self.submit(NoteLook(result=result))
            is_held = self._state.is_paused or bool(self._state.problem)
            if not result.has_more or result.wait or is_held:
                return result.wait
        return 0.0

    async def _enqueue_taken(self) -> None:
        for issue in self._in(Stage.TAKEN):
            if self._state.is_paused:
                return
            call = IssueCall(name=self._name, issue=issue)
            result = await self.run_activity(TrackerLooks.enqueue_issue, call, options.SETTLE)
            about = {"issue_id": issue.ref.id, "entry_id": issue.entry_id}
            self.submit(NoteEnqueued.model_validate({**about, "result": result}))

    async def _follow_open(self, *, is_asked: bool) -> float:
        """Follow each issue at work; stops where the tracker wants to be left alone, for so long."""
        for issue in self._in(Stage.QUEUED):
            if self._state.is_paused:
                return 0.0
            result = await self._follow(issue, is_asked=is_asked)
            if result.issue.leaving and not result.withdrawn and not result.problem:
                result = await self._follow(
                    result.issue
                )  # before any look: its label may come back
            if result.wait:
                return result.wait
        return 0.0

    async def _follow(self, issue: TrackedIssue, *, is_asked: bool = False) -> FollowResult:
        call = IssueCall(name=self._name, issue=issue, is_asked=is_asked)
        result = await self.run_activity(TrackerFollows.follow_issue, call, options.SETTLE)
        self.submit(NoteFollowed(result=result))
        return result

    def _in(self, stage: Stage) -> list[TrackedIssue]:
        return [issue for issue in self._state.open if issue.stage is stage]

    def show(self) -> None:
        """Put the headline and the attributes right."""
        status, waiting_for = headline_words(self._state)
        self._outbox.show(
            Headline(
                stream=self._stream,
                kind="tracker",
                title=self._name,
                status=status,
                waiting_for=waiting_for,
            )
        )
        self._shown.show(status, waiting_for)
