"""Schedules: goals and flows that are queued at set times."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel

from adapters.files.template_scopes import top_of
from adapters.host import known_host, time_zone
from adapters.temporal import TemporalSchedules
from api.core.bodies import CommandBody
from api.core.dependencies import Person, RedactorDep, SettingsDep, from_app
from api.core.permissions import OF_PROJECTS, PermitsDep
from api.core.queue_client import project_of
from api.core.redaction import refuse_secret_name
from api.queue.bodies import QueueBody, ScheduleBody, WaitingFlow
from api.queue.items import ItemPreparationDep
from domain.core.errors import InvalidError
from domain.core.ids import schedule_id
from domain.core.remote_repositories import is_remote
from domain.flows.inputs import FlowInput
from domain.people.roles import Role
from domain.queue.entry import EntryKind
from domain.queue.schedules.cron import read_cron
from domain.queue.schedules.schedule import (
    ScheduledInput,
    ScheduledResult,
    ScheduledWork,
    ScheduleView,
    check_timezone,
    scheduled_work,
)
from domain.threads.inputs import ThreadInput

SchedulesDep = Annotated[TemporalSchedules, from_app("schedules")]


class NewSchedules:
    """Prepares schedules; refuses what is invalid before Temporal is asked."""

    def __init__(
        self,
        preparation: ItemPreparationDep,
        settings: SettingsDep,
        person: Person,
        redactor: RedactorDep,
    ) -> None:
        self._preparation = preparation
        self._settings = settings
        self._person = person
        self._redactor = redactor

    async def prepare(self, body: ScheduleBody) -> ScheduledInput:
        """Return a schedule to add.

        Raises:
            TreadleError: Its times, its time zone, or its item is invalid.
        """
        refuse_secret_name(self._redactor, schedule_id(body.name))
        read_cron(body.cron)
        zone = check_timezone(body.timezone or time_zone())
        if body.item.after or (not isinstance(body.item, WaitingFlow) and body.item.base):
            raise InvalidError("scheduled items cannot wait for others: omit `after` and `base`")
        [item] = await self._preparation.items(QueueBody(items=[body.item]))
        begun = self._redactor.model(item.begun)
        if not is_remote(begun.repository):
            begun = begun.model_copy(update={"repository": str(top_of(begun.repository))})
        return ScheduledInput(
            name=body.name,
            cron=" ".join(body.cron.split()),
            timezone=zone,
            overlap=body.overlap,
            priority=item.priority,
            work=_work_of(begun),
            host=known_host(self._settings.data_dir),
            by=self._person,
            made_at=datetime.now(UTC),
        )


def _work_of(begun: ThreadInput | FlowInput) -> ScheduledWork:
    if isinstance(begun, ThreadInput):
        return scheduled_work(EntryKind.THREAD, begun.goal, project_of(begun.repository), begun)
    return scheduled_work(
        EntryKind.FLOW, begun.definition.name, project_of(begun.repository), begun
    )


NewSchedulesDep = Annotated[NewSchedules, Depends()]


router = APIRouter(tags=["schedules"], prefix="/schedules", dependencies=[OF_PROJECTS])

Name = Annotated[str, Path(max_length=200)]


async def _author_of(name: Name, schedules: SchedulesDep, permits: PermitsDep) -> None:
    """Refuse whoever is no author in the project of a schedule.

    Raises:
        RoleMissingError: The caller is none.
    """
    if not permits.access.is_unlimited:
        permits.access.require(Role.AUTHOR, (await schedules.view(name)).project)


OF_SCHEDULE = Depends(_author_of)


class ScheduleList(BaseModel):
    """All schedules, sorted by name."""

    schedules: list[ScheduleView]


@router.get("")
async def schedules(schedules: SchedulesDep, permits: PermitsDep) -> ScheduleList:
    """List schedules with their next runs."""
    found = await schedules.every()
    return ScheduleList(schedules=[each for each in found if permits.sees(each.project)])


@router.post("", status_code=201)
async def add_schedule(
    body: ScheduleBody, new: NewSchedulesDep, schedules: SchedulesDep
) -> ScheduleView:
    """Create a schedule; existing ones are never replaced."""
    return await schedules.add(await new.prepare(body))


@router.get("/{name}")
async def schedule(name: Name, schedules: SchedulesDep, permits: PermitsDep) -> ScheduleView:
    """Get a schedule, its next runs and the result of the last one."""
    found = await schedules.view(name)
    permits.access.require(Role.VIEWER, found.project)
    return found


@router.post("/{name}/run", status_code=202, dependencies=[OF_SCHEDULE])
async def run_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> ScheduledResult:
    """Run a schedule now, in addition to its times."""
    del body
    return await schedules.run(name, datetime.now(UTC))


@router.post("/{name}/pause", dependencies=[OF_SCHEDULE])
async def pause_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> ScheduleView:
    """Pause a schedule."""
    del body
    return await schedules.pause(name, "paused by a person")


@router.post("/{name}/resume", dependencies=[OF_SCHEDULE])
async def resume_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> ScheduleView:
    """Resume a schedule; missed runs are not made up for."""
    del body
    return await schedules.resume(name, "resumed by a person")


@router.delete("/{name}", status_code=204, dependencies=[OF_SCHEDULE])
async def remove_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> None:
    """Delete a schedule; its queued entries stay."""
    del body
    await schedules.remove(name)
