"""Learnings of repositories: list them, keep, remove or cite one, and promote some into AGENTS.md."""

import uuid
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path

from adapters.journal import SqlJournal
from api.core.dependencies import Person, SettingsDep, ThreadLists, WorkflowsDep
from api.core.list_parameters import Project
from api.core.permissions import OF_PROJECTS, PermitsDep
from api.learnings.bodies import (
    KeepLearningBody,
    LearningBody,
    LearningPage,
    PromotionBody,
    StartedPromotion,
)
from api.learnings.promoting import claim, drop, promotable
from api.learnings.reading import known, views_of
from api.threads.bodies import ThreadBody
from api.threads.opening import ThreadPreparationDep
from domain.core.command import Answer
from domain.core.errors import TreadleError, UnavailableError, WrongStateError
from domain.core.event import Event, EventBody
from domain.core.ids import EventId
from domain.learnings.book import KeptLearning
from domain.learnings.events import LearningCited, LearningPinned, LearningRemoved
from domain.learnings.identity import learnings_stream
from domain.learnings.promoting import goal_of
from domain.people.roles import Role

router = APIRouter(tags=["learnings"], prefix="/learnings", dependencies=[OF_PROJECTS])

LearningId = Annotated[str, Path(max_length=40, description="The `learning_id` of the list.")]


@router.get("")
async def learnings(
    journal: ThreadLists, permits: PermitsDep, settings: SettingsDep, project: Project = None
) -> LearningPage:
    """List the learnings of one repository or all, with origin, uses and expiry."""
    lifetime = settings.learnings_lifetime
    found = await views_of(journal, permits, project, lifetime)
    return LearningPage(learnings=found, lifetime_days=lifetime.total_seconds() / 86_400)


@router.post("/promotions", status_code=201)
async def promote(
    body: PromotionBody,
    permits: PermitsDep,
    journal: ThreadLists,
    new: ThreadPreparationDep,
    workflows: WorkflowsDep,
) -> StartedPromotion:
    """Open a thread that proposes to add learnings to AGENTS.md.

    Its plan and its change wait for approval like any other; a person always closes its gate, whatever
    template and autonomy say. The same `command_id` returns the same thread. Refused if another thread that
    has not ended already proposes one of them, or is being opened.
    """
    permits.access.require(Role.AUTHOR, body.repository)
    ids = tuple(dict.fromkeys(body.learning_ids))
    book = await journal.learnings.of(body.repository)
    asked = ThreadBody(
        command_id=body.command_id,
        repository=body.repository,
        goal=goal_of(promotable(book, body.repository, ids)),
        agent=body.agent,
        model=body.model,
        is_planned=True,
    )
    thread = (await new.prepare(asked)).model_copy(update={"promotes": ids})
    await claim(journal, body.repository, thread)
    try:
        answer = await workflows.open_thread(thread)
    except UnavailableError:
        raise  # it may be opened yet
    except TreadleError:
        await drop(journal, body.repository, thread)
        raise
    return StartedPromotion(thread_id=thread.thread_id, message=answer.message)


@router.post("/{learning}/keep")
async def keep(
    learning: LearningId,
    body: KeepLearningBody,
    permits: PermitsDep,
    journal: ThreadLists,
    person: Person,
) -> Answer:
    """Keep a learning even if nobody uses it, which also restores a removed or promoted one; or let it expire again."""
    one = await _refuse(permits, journal, body, learning)
    if not body.is_kept and (one.removed_by is not None or one.promoted_as):
        raise WrongStateError(
            f"{learning} was removed or promoted, so it does not expire: keep it to have it offered again"
        )
    said = LearningPinned(learning_id=learning, is_pinned=body.is_kept, by=person)
    await _note(journal, learning, said, body)
    return Answer(message="kept for good" if body.is_kept else "it expires unless it is used")


@router.post("/{learning}/remove")
async def remove(
    learning: LearningId,
    body: LearningBody,
    permits: PermitsDep,
    journal: ThreadLists,
    person: Person,
) -> Answer:
    """Remove a learning: agents no longer get it, even if a task learns it again."""
    await _refuse(permits, journal, body, learning)
    await _note(journal, learning, LearningRemoved(learning_id=learning, by=person), body)
    return Answer(message="removed; keeping it restores it")


@router.post("/{learning}/used")
async def used(
    learning: LearningId,
    body: LearningBody,
    permits: PermitsDep,
    journal: ThreadLists,
    person: Person,
) -> Answer:
    """Mark a learning as useful, which renews its expiry."""
    await _refuse(permits, journal, body, learning)
    await _note(journal, learning, LearningCited(learning_ids=(learning,), by=person), body)
    return Answer(message="noted")


async def _refuse(
    permits: PermitsDep, journal: SqlJournal, body: LearningBody, learning: str
) -> KeptLearning:
    permits.access.require(Role.AUTHOR, body.repository)
    return await known(journal, body.repository, learning)


async def _note(journal: SqlJournal, learning: str, said: EventBody, command: LearningBody) -> None:
    """Add what a person said of a learning to its repository's stream; the same command once."""
    stream = learnings_stream(command.repository)
    name = EventId(f"{stream}:{learning}:{said.kind}:{command.command_id or uuid.uuid4().hex}")
    await journal.append([Event(id=name, stream=stream, at=datetime.now(UTC), body=said)])
