"""Schedules: what one time puts into the queue, and which time zones there can be."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.ids import (
    StreamId,
    ThreadId,
    due_at,
    schedule_id,
    schedule_of,
    scheduled_workflow_id,
)
from domain.flows.definition import FlowDefinition
from domain.flows.inputs import FlowInput
from domain.queue.entry import EntryKind
from domain.queue.schedules.schedule import (
    ScheduledInput,
    TimezoneError,
    check_timezone,
    scheduled_work,
)
from domain.threads.inputs import ThreadInput

START = datetime(2000, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(0), timedelta(days=40_000)).map(lambda after: START + after)


def schedule(goal: str = "look at the links") -> ScheduledInput:
    thread = ThreadInput(thread_id=ThreadId(""), goal=goal, repository="/repo", agent="fake")
    return ScheduledInput(
        name="nightly",
        cron="@daily",
        timezone="UTC",
        work=scheduled_work(EntryKind.THREAD, goal, thread.repository, thread),
        made_at=datetime(2026, 11, 22, tzinfo=UTC),
    )


def test_an_entry_has_the_id_of_its_thread_and_the_series_of_its_schedule():
    due = datetime(2026, 11, 22, 6, tzinfo=UTC)
    entry = schedule().entry(due, "ref")
    assert entry.entry_id == "thread-look-at-the-links-20261122-060000"
    assert schedule().work.at(due)[0] == entry.entry_id
    assert (entry.series, entry.spec_ref, entry.project) == ("schedule-nightly", "ref", "/repo")


def test_a_flows_run_has_the_time_for_its_number():
    flow = FlowInput(
        run_id=StreamId(""), definition=FlowDefinition(name="review"), repository="/repo"
    )
    known = schedule().model_copy(
        update={"work": scheduled_work(EntryKind.FLOW, "review", "/repo", flow)}
    )
    entry = known.entry(datetime(2026, 11, 22, 6, tzinfo=UTC), "ref")
    assert (entry.entry_id, entry.kind, entry.title) == (
        "flow-review-261122060000",
        "flow",
        "review",
    )
    assert ScheduledInput.model_validate_json(known.model_dump_json()) == known


def test_the_same_moment_in_another_zone_is_the_same_entry():
    due = datetime(2026, 11, 22, 6, tzinfo=UTC)
    there = due.astimezone(timezone(timedelta(hours=9)))
    assert schedule().entry(there, "ref") == schedule().entry(due, "ref")


@given(one=MOMENTS, other=MOMENTS)
def test_two_times_are_two_entries_unless_they_are_in_the_same_second(
    one: datetime, other: datetime
):
    same = one.replace(microsecond=0) == other.replace(microsecond=0)
    assert (schedule().work.at(one) == schedule().work.at(other)) is same


@given(due=MOMENTS, name=st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True))
def test_a_workflow_id_tells_its_schedule_and_its_time(due: datetime, name: str):
    workflow_id = scheduled_workflow_id(name, due)
    assert schedule_of(workflow_id) == schedule_id(name)
    assert due_at(workflow_id) == due.replace(microsecond=0)


@pytest.mark.parametrize(
    "workflow_id",
    [
        *("schedule-nightly", "thread-x-2026-11-22T06:00:00Z", "schedule-n/x-2026-11-22T06:00:00Z"),
        *("schedule--2026-11-22", "schedule-n-2026-13-45T06:00:00Z"),
    ],
)
def test_no_other_workflow_has_a_time(workflow_id: str):
    assert due_at(workflow_id) is None


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "America/Argentina/Salta", "Etc/GMT+5"])
def test_names_of_time_zones_pass(name: str):
    assert check_timezone(name) == name


@pytest.mark.parametrize(
    "name", ["", "Local", "utc", "../etc/passwd", "/etc/localtime", "+02:00", "A/B/C/D", "A\n", "Ü"]
)
def test_what_can_be_no_time_zone_is_refused(name: str):
    with pytest.raises(TimezoneError, match="there is no time zone"):
        check_timezone(name)
