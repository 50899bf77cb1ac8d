"""Times as cron(5) has them, before Temporal sees them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.queue.schedules.cron import CronError, ranges, read_cron

EVERY_HOUR = tuple(range(24))
EVERY_DAY = tuple(range(1, 32))


def test_the_fields_are_minute_hour_day_month_and_weekday():
    (calendar,) = read_cron("5 6-9/2 * jan,Feb MON-FRI")
    assert calendar.minutes == (5,)
    assert calendar.hours == (6, 8)
    assert calendar.days == EVERY_DAY
    assert calendar.months == (1, 2)
    assert calendar.weekdays == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("text", "minutes", "hours"),
    [
        ("@hourly", (0,), EVERY_HOUR),
        ("@daily", (0,), (0,)),
        (" @Midnight ", (0,), (0,)),
        ("*/20 3 * * *", (0, 20, 40), (3,)),
        ("50/5 3 * * *", (50, 55), (3,)),
        ("1,2,2,1 3 * * *", (1, 2), (3,)),
    ],
)
def test_names_steps_and_lists_are_read(text: str, minutes: tuple[int], hours: tuple[int]):
    (calendar,) = read_cron(text)
    assert (calendar.minutes, calendar.hours) == (minutes, hours)


@pytest.mark.parametrize("sunday", ["0", "7", "sun", "SUN"])
def test_sunday_has_three_names(sunday: str):
    assert read_cron(f"0 0 * * {sunday}")[0].weekdays == (0,)


def test_of_two_days_either_counts_as_cron_has_it():
    by_day, by_weekday = read_cron("0 6 1 * mon")
    assert (by_day.days, by_day.weekdays) == ((1,), tuple(range(7)))
    assert (by_weekday.days, by_weekday.weekdays) == (EVERY_DAY, (1,))


def test_of_a_day_that_never_comes_and_a_weekday_the_weekday_is_left():
    (only,) = read_cron("0 6 30 2 mon")
    assert (only.days, only.weekdays) == (EVERY_DAY, (1,))


@pytest.mark.parametrize(
    "text",
    [
        *("", "0 6 * *", "0 6 * * * *", "0 0 6 * * * 2026", "@reboot", "@every 1h"),
        *("60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 *", "* * * * 8"),
        *("*/0 * * * *", "*-5 * * * *", "5-1 * * * *", "1,,2 * * * *", "-1 * * * *", "a * * * *"),
        *("? * * * *", "0 0 L * *", "CRON_TZ=UTC 0 6 * * *", "0 6 * * * # six", "٣ * * * *"),
        *("0 0 30 2 *", "0 0 31 feb,apr *", "0 0 * * mon\0", "1 " * 300),
    ],
)
def test_what_is_no_cron_or_never_comes_is_refused(text: str):
    with pytest.raises(CronError, match="is not a valid schedule"):
        read_cron(text)


@given(numbers=st.sets(st.integers(0, 59), min_size=1))
def test_ranges_are_the_numbers_again(numbers: set[int]):
    found = list(ranges(tuple(sorted(numbers))))
    assert {n for first, last in found for n in range(first, last + 1)} == numbers
    assert all(last + 1 < first for (_, last), (first, _) in itertools.pairwise(found))


@given(
    minutes=st.sets(st.integers(0, 59), min_size=1), hours=st.sets(st.integers(0, 23), min_size=1)
)
def test_numbers_that_are_listed_are_those_that_are_meant(minutes: set[int], hours: set[int]):
    (calendar,) = read_cron(f"{','.join(map(str, minutes))} {','.join(map(str, hours))} * * *")
    assert (calendar.minutes, calendar.hours) == (tuple(sorted(minutes)), tuple(sorted(hours)))


@given(text=st.text(alphabet="0123456789*/-,@ abcjmonf", max_size=30))
def test_any_text_is_read_or_refused(text: str):
    try:
        calendars = read_cron(text)
    except CronError:
        return
    assert all(all(dict(calendar).values()) for calendar in calendars)
