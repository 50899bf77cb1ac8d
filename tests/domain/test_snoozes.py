"""Snoozes: until a time, or until something else is asked; and times as people type them."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approvals import ApprovalRequest, Subject
from domain.core.errors import InvalidError
from domain.reading.inbox.item import InboxItem, InboxKind
from domain.reading.inbox.snoozes import Snooze, version_of, with_snoozes
from domain.reading.inbox.until import read_until

NOW = datetime(2030, 5, 17, 15, 20, tzinfo=ZoneInfo("Europe/Berlin"))  # a Friday


def plan(digest):
    request = ApprovalRequest(request_id="r", subject=Subject.PLAN, title="t", content_hash=digest)
    return InboxItem(
        item_id="thread-a#plan",
        kind=InboxKind.PLAN,
        workflow_id="thread-a",
        since=NOW,
        request=request,
        requests=(request,),
    )


def snooze(item, until):
    return Snooze(person="ann", item_id=item.item_id, version=version_of(item), until=until)


def test_a_snoozed_item_is_back_at_its_time():
    until = NOW + timedelta(hours=1)
    [asleep] = with_snoozes([plan("1")], [snooze(plan("1"), until)], NOW)
    [back] = with_snoozes([plan("1")], [snooze(plan("1"), until)], until)
    assert (asleep.snoozed_until, asleep.is_mine) == (until, False)
    assert back == plan("1")


def test_another_plan_under_the_same_id_is_not_snoozed():
    [shown] = with_snoozes([plan("2")], [snooze(plan("1"), NOW + timedelta(days=1))], NOW)
    assert shown == plan("2")


def test_an_approval_of_what_was_snoozed_is_bound_to_the_same_hash():
    [asleep] = with_snoozes([plan("1")], [snooze(plan("1"), NOW + timedelta(days=1))], NOW)
    assert asleep.requests == plan("1").requests


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30m", "2030-05-17 15:50"),
        ("2h", "2030-05-17 17:20"),
        ("3d", "2030-05-20 15:20"),
        ("evening", "2030-05-17 18:00"),
        ("Tomorrow", "2030-05-18 09:00"),
        ("tomorrow 14:30", "2030-05-18 14:30"),
        ("monday", "2030-05-20 09:00"),
        ("friday", "2030-05-24 09:00"),
        ("16:00", "2030-05-17 16:00"),
        ("08:00", "2030-05-18 08:00"),
        ("2030-06-01", "2030-06-01 09:00"),
        ("2030-06-01 14:30", "2030-06-01 14:30"),
        ("2030-06-01T12:30:00+00:00", "2030-06-01 14:30"),
    ],
)
def test_times_are_read_as_people_type_them(text, expected):
    found = read_until(text, NOW).astimezone(NOW.tzinfo)
    assert found.strftime("%Y-%m-%d %H:%M") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2020-01-01",
        "0m",
        "25:00",
        "someday 10:00",
        "monday x",
        "9999-12-31 23:59",
        "999d",
    ],
)
def test_what_is_no_later_time_is_refused_with_examples(text):
    with pytest.raises(InvalidError, match="tomorrow"):
        read_until(text, NOW)


@given(st.text(max_size=30))
def test_any_text_is_a_later_time_or_refused(text):
    with suppress(InvalidError):
        assert read_until(text, NOW) > NOW


@given(st.integers(0, 60 * 24 * 8))
def test_the_evening_is_always_later(minutes):
    now = datetime(2030, 5, 17, tzinfo=UTC) + timedelta(minutes=minutes)
    assert now < read_until("evening", now) <= now + timedelta(hours=18)
