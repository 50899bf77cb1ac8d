"""Trackers over REST: what is configured, how each stands, and looking, pausing and resuming."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from adapters.readings.projections import TrackerProjections
from adapters.temporal import Watchers
from api.core.answering import answering
from api.core.bodies import CommandBody
from api.core.dependencies import Person, SettingsDep, WorkflowsDep, from_app
from api.core.permissions import OF_PROJECTS, OF_SERVER, PermitsDep, canonical_project
from api.core.workflow_queries import ANSWER_SECONDS
from domain.core.command import MAX_NAME, Answer
from domain.core.errors import NotFoundError
from domain.core.ids import tracker_id
from domain.forges.hints import ForgeHint
from domain.people.roles import Role
from domain.trackers.commands import KeepIssue, PauseTracker, ResumeTracker
from domain.trackers.source import TrackerSource
from domain.trackers.status import TrackerView, view_of
from settings import Settings

router = APIRouter(tags=["trackers"], prefix="/trackers", dependencies=[OF_PROJECTS])

Name = Annotated[str, Path(max_length=62, description="Name of a tracker in config.toml")]
TrackersDep = Annotated[TrackerProjections, from_app("tracker_folds")]
WatchersDep = Annotated[Watchers, from_app("watchers")]


class TrackerList(BaseModel):
    """All trackers, as config.toml has them."""

    trackers: list[TrackerView]


class KeepBody(CommandBody):
    """Which work goes on."""

    entry_id: str = Field(max_length=MAX_NAME)


@router.get("")
async def trackers(settings: SettingsDep, folds: TrackersDep, permits: PermitsDep) -> TrackerList:
    """List the trackers whose issues become work, how each stands, and what to know of its settings."""
    sources = [table.source for table in settings.trackers]
    seen = [each for each in sources if permits.sees(canonical_project(each.repository))]
    return TrackerList(trackers=[view_of(each, await folds.state(each.name)) for each in seen])


@router.get("/{name}")
async def tracker(
    name: Name, settings: SettingsDep, folds: TrackersDep, permits: PermitsDep
) -> TrackerView:
    """Get a tracker with its issues, the newest last."""
    source = _source(settings, name, permits)
    return view_of(source, await folds.state(name))


@router.post("/{name}/look", status_code=202)
async def look_at_tracker(
    name: Name, body: CommandBody, settings: SettingsDep, watchers: WatchersDep, permits: PermitsDep
) -> Answer:
    """Have a tracker looked at now; what it asks to be left alone for is waited for in any case."""
    source = _source(settings, name, permits)
    permits.require_in(Role.AUTHOR, source.repository)
    hint = ForgeHint(hint_id=body.command_id or uuid.uuid4().hex, tracker=name)
    async with answering(tracker_id(name), ANSWER_SECONDS):
        if not await watchers.wake(tracker_id(name), hint):
            raise NotFoundError(
                f"the tracker {name!r} is not followed: start Treadle again after changes of config.toml"
            )
    return Answer(message="it is looked at now")


@router.post("/{name}/pause", dependencies=[OF_SERVER])
async def pause_tracker(
    name: Name, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Pause a tracker: no issue is taken and no comment is read; work that was taken continues."""
    command = PauseTracker(**body.model_dump(), by=person)
    return await workflows.send(tracker_id(name), command)


@router.post("/{name}/resume", dependencies=[OF_SERVER])
async def resume_tracker(
    name: Name, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Resume a tracker, which is looked at now."""
    command = ResumeTracker(**body.model_dump(), by=person)
    return await workflows.send(tracker_id(name), command)


@router.post("/{name}/keep")
async def keep_issue(
    name: Name,
    body: KeepBody,
    workflows: WorkflowsDep,
    settings: SettingsDep,
    person: Person,
    permits: PermitsDep,
) -> Answer:
    """Let the work on an issue go on, though the issue was closed, unlabelled or moved; to stop it, cancel its thread."""
    permits.require_in(Role.AUTHOR, _source(settings, name, permits).repository)
    return await workflows.send(tracker_id(name), KeepIssue(**body.model_dump(), by=person))


def _source(settings: Settings, name: str, permits: PermitsDep) -> TrackerSource:
    """Return what is configured of a tracker.

    Raises:
        NotFoundError: There is none of this name, or it is of a project that the caller may not read.
    """
    sources = [table.source for table in settings.trackers]
    seen = [each for each in sources if permits.sees(canonical_project(each.repository))]
    found = next((each for each in seen if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in seen) or "none"
        raise NotFoundError(f"there is no tracker {name!r} in config.toml; there are: {known}")
    return found
