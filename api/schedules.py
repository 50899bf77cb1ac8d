"""The schedules as routes are given them, and how one is made."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request

from adapters.files.template_scopes import top_of
from adapters.host import known_host, time_zone
from adapters.redaction import Redactor
from adapters.temporal import TemporalSchedules
from api.dependencies import Person, SettingsDep
from api.queue_bodies import QueueBody, WaitingFlow
from api.queue_items import PreparingDep
from api.schedule_bodies import ScheduleBody
from domain.core.errors import InvalidError
from domain.flows.inputs import FlowInput
from domain.queue.entry import EntryKind
from domain.queue.schedules.cron import read_cron
from domain.queue.schedules.schedule import (
    ScheduledInput,
    ScheduledWork,
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
        preparing: PreparingDep,
        settings: SettingsDep,
        person: Person,
        request: Request,
    ) -> None:
        self._preparing = preparing
        self._settings = settings
        self._person = person
        self._redactor: Redactor = request.app.state.redactor

    async def prepared(self, body: ScheduleBody) -> ScheduledInput:
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
        [item] = await self._preparing.items(QueueBody(items=[body.item]))
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
