"""A schedule in Temporal's words, and Temporal's words of it in ours."""

from datetime import timedelta

from temporalio.client import (
    Schedule,
    ScheduleActionStartWorkflow,
    ScheduleCalendarSpec,
    ScheduleDescription,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleRange,
    ScheduleSpec,
)

from domain.core.ids import SHARED_QUEUE, schedule_id
from domain.core.seals import Public
from domain.core.summaries import bounded
from domain.queue.schedules.cron import Calendar, ranges, read_cron
from domain.queue.schedules.schedule import CATCH_UP_HOURS, ScheduledInput, ScheduleView

WORKFLOW = "Scheduled"
PATIENCE = timedelta(hours=CATCH_UP_HOURS)
"""How late a time may be made up for, and how long its workflow may wait for a worker."""

NEXT_TIMES = 3


def temporal_schedule(schedule: ScheduledInput) -> Schedule:
    """Return a schedule as Temporal keeps it.

    Raises:
        CronError: Its times can't be read, or never come.
    """
    return Schedule(
        action=ScheduleActionStartWorkflow(
            WORKFLOW,
            schedule,
            id=schedule_id(schedule.name),
            task_queue=SHARED_QUEUE,
            execution_timeout=PATIENCE,
            static_summary=Public(bounded(f"schedule {schedule.name}: {schedule.work.title}")),
        ),
        spec=ScheduleSpec(
            calendars=[_calendar(calendar) for calendar in read_cron(schedule.cron)],
            time_zone_name=schedule.timezone,
        ),
        policy=SchedulePolicy(
            # the queue knows whether the last one is over; the workflow itself never takes long
            overlap=ScheduleOverlapPolicy.ALLOW_ALL,
            catchup_window=PATIENCE,
        ),
    )


def view_of(schedule: ScheduledInput, description: ScheduleDescription) -> ScheduleView:
    """Return a schedule as people see it: as it was made, and what Temporal says of it."""
    info, state = description.info, description.schedule.state
    return ScheduleView(
        name=schedule.name,
        kind=schedule.work.kind,
        title=schedule.work.title,
        project=schedule.work.project,
        cron=schedule.cron,
        timezone=schedule.timezone,
        overlap=schedule.overlap,
        priority=schedule.priority,
        is_paused=state.paused,
        note=state.note or "",
        next_at=() if state.paused else tuple(info.next_action_times[:NEXT_TIMES]),
        last_at=info.recent_actions[-1].scheduled_at if info.recent_actions else None,
        runs=info.num_actions,
        missed=info.num_actions_missed_catchup_window,
        by=schedule.by,
        made_at=schedule.made_at,
    )


def _calendar(calendar: Calendar) -> ScheduleCalendarSpec:
    def ranged(numbers: tuple[int, ...]) -> list[ScheduleRange]:
        return [ScheduleRange(first, last) for first, last in ranges(numbers)]

    return ScheduleCalendarSpec(
        minute=ranged(calendar.minutes),
        hour=ranged(calendar.hours),
        day_of_month=ranged(calendar.days),
        month=ranged(calendar.months),
        day_of_week=ranged(calendar.weekdays),
    )
