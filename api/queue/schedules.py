"""Schedules: goals and flows that go into the queue by the clock."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel

from adapters.files.template_scopes import top_of
from adapters.host import known_host, time_zone
from adapters.redaction import Redactor
from adapters.temporal import TemporalSchedules
from api.core.bodies import CommandBody
from api.core.dependencies import Person, SettingsDep
from api.queue.bodies import QueueBody, ScheduleBody, WaitingFlow
from api.queue.items import ItemPreparationDep
from domain.core.errors import InvalidError
from domain.flows.inputs import FlowInput
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


def _schedules(request: Request) -> TemporalSchedules:
    return request.app.state.schedules


SchedulesDep = Annotated[TemporalSchedules, Depends(_schedules)]


class NewSchedules:
    """Makes schedules of requests; all that can be refused is, before Temporal is asked."""

    def __init__(
        self,
        preparation: ItemPreparationDep,
        settings: SettingsDep,
        person: Person,
        request: Request,
    ) -> None:
        self._preparation = preparation
        self._settings = settings
        self._person = person
        self._redactor: Redactor = request.app.state.redactor

    async def prepare(self, body: ScheduleBody) -> ScheduledInput:
        """Return a schedule to add.

        Raises:
            TreadleError: Its times, its zone, or what it would do can't be used.
        """
        read_cron(body.cron)
        zone = check_timezone(body.timezone or time_zone())
        if body.item.after or (not isinstance(body.item, WaitingFlow) and body.item.base):
            raise InvalidError(
                "what a schedule puts into the queue waits for nothing: drop `after` and `base`"
            )
        [item] = await self._preparation.items(QueueBody(items=[body.item]))
        begun = self._redactor.model(item.begun)
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
        return scheduled_work(EntryKind.THREAD, begun.goal, begun.repository, begun)
    return scheduled_work(EntryKind.FLOW, begun.definition.name, begun.repository, begun)


NewSchedulesDep = Annotated[NewSchedules, Depends()]


router = APIRouter(tags=["schedules"], prefix="/schedules")

Name = Annotated[str, Path(max_length=200)]


class ScheduleList(BaseModel):
    """All schedules by name."""

    schedules: list[ScheduleView]


@router.get("")
async def schedules(schedules: SchedulesDep) -> ScheduleList:
    """List the schedules with the times that come next."""
    return ScheduleList(schedules=await schedules.every())


@router.post("", status_code=201)
async def add_schedule(
    body: ScheduleBody, new: NewSchedulesDep, schedules: SchedulesDep
) -> ScheduleView:
    """Add a schedule; none that is there is ever replaced."""
    return await schedules.add(await new.prepare(body))


@router.get("/{name}")
async def schedule(name: Name, schedules: SchedulesDep) -> ScheduleView:
    """Show one schedule, and what came of its last time."""
    return await schedules.view(name)


@router.post("/{name}/run", status_code=202)
async def run_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> ScheduledResult:
    """Have a schedule come due now, beside its times."""
    del body
    return await schedules.run(name, datetime.now(UTC))


@router.post("/{name}/pause")
async def pause_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> ScheduleView:
    """Let a schedule come due no more until it is resumed."""
    del body
    return await schedules.pause(name, "paused by a person")


@router.post("/{name}/resume")
async def resume_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> ScheduleView:
    """Let a schedule come due again; what was missed is not made up for."""
    del body
    return await schedules.resume(name, "resumed by a person")


@router.delete("/{name}", status_code=204)
async def remove_schedule(name: Name, body: CommandBody, schedules: SchedulesDep) -> None:
    """Remove a schedule; what it put into the queue stays."""
    del body
    await schedules.remove(name)
