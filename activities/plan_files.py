"""Changing the plan files of a thread, and keeping what they say in the journal."""

import asyncio

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.errors import NotFoundError, TreadleError
from domain.core.ports import Journal
from domain.threads.plan_files.calls import PlanFileCall
from domain.threads.plan_files.edits import (
    PlanFileAnswer,
    PlanFileEdit,
    PlanFileOp,
    PlanFileStore,
    StoredPlanFile,
)
from domain.threads.plan_files.files import PlanFile


class PlanFileChanges:
    """Changes plan files on the host where they are."""

    def __init__(self, store: PlanFileStore, journal: Journal) -> None:
        self._store = store
        self._journal = journal

    @activity.defn
    async def change_plan_file(self, call: PlanFileCall) -> PlanFileAnswer:
        """Carry out a change; again is once, as every change gives the same when it is made twice.

        What an agent must fix is an answer; what the disk refuses is an error that is tried again.
        """
        with translated():
            async with beating():
                try:
                    await self._bring_back(call)
                    edit = call.edit.model_copy(update={"content": await self._content(call)})
                    made = await self._store.edit(call.thread_id, edit)
                except TreadleError as error:
                    if error.is_retryable:
                        raise
                    return PlanFileAnswer(message=error.message, refusal=error.type)
                return PlanFileAnswer(
                    message=made.message,
                    files=await self._stored(made.files),
                    archive=made.archive,
                    archived=await self._stored(made.archived),
                )

    async def _bring_back(self, call: PlanFileCall) -> None:
        """Write a plan from the journal that the thread knows, and that this disk has lost."""
        if not call.known or await self._store.has_folder(call.thread_id):
            return
        for which, reference in call.known.items():
            if (text := await self._journal.text(reference)) is not None:
                lost = PlanFileEdit(op=PlanFileOp.WRITE, at=call.edit.at, which=which, content=text)
                await self._store.edit(call.thread_id, lost)

    async def _content(self, call: PlanFileCall) -> str:
        if not call.content_ref:
            return ""
        text = await self._journal.text(call.content_ref)
        if text is None:
            raise NotFoundError("the text of this change is not in the journal: call again")
        return text

    async def _stored(self, texts: dict[PlanFile, str]) -> dict[PlanFile, StoredPlanFile]:
        references = await asyncio.gather(*map(self._journal.put_text, texts.values()))
        return {
            which: StoredPlanFile(size_bytes=len(text.encode()), content_ref=reference)
            for (which, text), reference in zip(texts.items(), references, strict=True)
        }
