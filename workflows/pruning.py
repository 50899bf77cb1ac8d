"""PruneWorkflow: removes threads that ended, one after the other, and leaves a receipt of each."""

from collections.abc import Sequence
from typing import NoReturn

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.journal import Journaling
from activities.lifecycle import ThreadLifecycle
from activities.retention import Pruning
from domain.core.command import Answer
from domain.core.effects import JournalCall
from domain.core.event import EventBody
from domain.core.ids import host_queue
from domain.retention.ages import parse_age
from domain.retention.archives import ArchiveCall, ArchivedThread
from domain.retention.calls import (
    RETENTION,
    DeleteCall,
    DeletionOutcome,
    EraseCall,
    PruneInput,
    Survey,
    SurveyCall,
)
from domain.retention.events import PruneEnded, PruneSkipped, PruneStarted, ThreadPruned
from domain.retention.policy import PrunableThread
from workflows import options
from workflows.carrying import Carrying
from workflows.failures import words_of
from workflows.hosting import HostActivities
from workflows.outbox import Outbox
from workflows.starts import check_start

BATCH = 40
"""Threads of one run; the next run takes those that are left."""


def _start_of(given: PruneInput) -> PruneStarted:
    return PruneStarted(
        prune_id=given.prune_id, policy=given.policy, threads=len(given.threads), by=given.by
    )


@workflow.defn(name="Prune")
class PruneWorkflow(Carrying):
    """Each thread is looked at, removed and erased before the next one; its receipt comes last."""

    @workflow.init
    def __init__(self, given: PruneInput) -> None:
        self._given = given
        self._outbox = Outbox(RETENTION, f"{given.prune_id}.{given.batch}")
        self._hosting = HostActivities()

    @workflow.run
    async def run(self, given: PruneInput) -> Answer:
        """Remove what the input names; what cannot be removed is skipped, and said so."""
        is_carried = given.batch > 0
        check_start(given.prune_id, "", is_carried=is_carried, is_child=False)
        if not is_carried:
            self.record((_start_of(given),))
        pruned = 0
        for thread in given.threads[:BATCH]:
            pruned += await self._prune(thread)
        skipped = given.skipped + len(given.threads[:BATCH]) - pruned
        pruned += given.pruned
        if left := given.threads[BATCH:]:
            await self._journal()
            self._continue(left, pruned, skipped)
        self.record((PruneEnded(prune_id=given.prune_id, pruned=pruned, skipped=skipped),))
        await self._journal()
        return Answer(message=f"{pruned} threads removed, {skipped} kept")

    def _continue(self, left: tuple[PrunableThread, ...], pruned: int, skipped: int) -> NoReturn:
        batch = self._given.batch + 1
        rest = {"threads": left, "batch": batch, "pruned": pruned, "skipped": skipped}
        workflow.continue_as_new(self._given.model_copy(update=rest))

    async def _journal(self) -> None:
        await self.run_activity(Journaling.append_events, JournalCall(), options.SHORT)

    async def _prune(self, thread: PrunableThread) -> bool:
        """Remove one thread; returns whether it is gone."""
        before = workflow.now() - parse_age(self._given.policy.older)
        call = SurveyCall(thread=thread, before=before)
        survey = await self.run_activity(Pruning.survey_thread, call, options.SETTLE)
        if survey.problem:
            return self._skip(thread, survey.problem)
        archived = await self._archive(thread)
        if archived.problem:
            return self._skip(thread, archived.problem)
        outcome = await self._delete(thread, survey, archived)
        if outcome.problem:
            return self._skip(thread, outcome.problem)
        erase = EraseCall(thread_id=thread.thread_id, workflows=survey.workflows)
        erased = await self.run_activity(Pruning.erase_histories, erase, options.SETTLE)
        receipt = self._receipt(thread, survey, outcome.message, erased.histories)
        kept = {"archive": archived.place, "archive_sha256": archived.sha256}
        self.record((receipt.model_copy(update=kept),))
        return True

    async def _archive(self, thread: PrunableThread) -> ArchivedThread:
        if not self._given.policy.archive:
            return ArchivedThread()
        call = ArchiveCall(thread=thread, location=self._given.policy.archive)
        return await self.run_activity(Pruning.archive_thread, call, options.ARCHIVE)

    async def _delete(
        self, thread: PrunableThread, survey: Survey, archived: ArchivedThread
    ) -> DeletionOutcome:
        if survey.removal is not None:
            where = options.on(host_queue(survey.host), options.ON_HOST)
            try:
                removed = await self.run_activity(
                    ThreadLifecycle.remove_thread, survey.removal, where
                )
            except ActivityError as error:
                return DeletionOutcome(problem=f"it cannot be removed: {words_of(error)}")
            return DeletionOutcome(message=removed.words)
        command_id = f"{self._given.prune_id}/{thread.thread_id}"
        call = DeleteCall(
            thread_id=thread.thread_id,
            command_id=command_id,
            by=self._given.by,
            archived=archived.position,
            recorded=archived.recorded,
        )
        return await self.run_activity(Pruning.delete_pruned, call, options.SETTLE)

    def _skip(self, thread: PrunableThread, reason: str) -> bool:
        name = thread.thread_id
        skipped = PruneSkipped(prune_id=self._given.prune_id, thread_id=name, reason=reason)
        self.record((skipped,))
        return False

    def _receipt(
        self, thread: PrunableThread, survey: Survey, outcome: str, histories: int
    ) -> ThreadPruned:
        return ThreadPruned(
            prune_id=self._given.prune_id,
            thread_id=thread.thread_id,
            title=thread.title,
            project=thread.project,
            status=thread.status,
            opened_at=survey.opened_at,
            changed_at=thread.changed_at,
            events=survey.events,
            tasks=survey.tasks,
            sessions=survey.sessions,
            histories=histories,
            outcome=outcome,
            by=self._given.by,
        )

    def record(self, events: Sequence[EventBody]) -> None:
        """Put events on their way to the journal."""
        self._outbox.add(events)
