"""Schedules: goals and flows that go into the queue by the clock."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.bodies import CommandBody
from api.schedule_bodies import ScheduleBody
from api.schedules import NewSchedulesDep, SchedulesDep
from domain.queue.schedules.schedule import ScheduledResult, ScheduleView

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
    return await schedules.add(await new.prepared(body))


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
