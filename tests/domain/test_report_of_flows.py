"""What a report counts of flow runs and of the queue, and from when it counts."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.conversations.place import FlowPlace
from domain.core.money import Money
from domain.core.text import duration
from domain.flows import events as flow_events
from domain.flows.requests import HumanRequest
from domain.queue import events as queue_events
from domain.queue.entry import NewEntry
from domain.reading.report.causes import MAX_CAUSE, cause_of
from domain.reading.report.projection import StreamFold
from domain.reading.report.since import BadSinceError, read_since
from domain.reading.report.words import amount, money, share
from tests.domain.flow_lab import llm, read
from tests.domain.report_lab import NOW, T0, reported, step

PLACE = FlowPlace(step_index=0, total_steps=1)
STARTED = flow_events.FlowStarted(
    run_id="flow-example-1",
    title="Flow: example",
    definition=read(llm()),
    repository="/repo",
    base="b",
    branch="treadle/flow-example-1",
    host="h",
)
RESUMED = flow_events.FlowResumed(execution=2, step_index=0, position=0)
STOPPED = flow_events.FlowStopped(step_index=0, reason="stopped by p")


def entry(name, project="/home/u/shop"):
    return queue_events.EntryEnqueued(entry=NewEntry(entry_id=name, project=project, spec_ref="r"))


def test_a_flow_run_counts_once_by_its_newest_end_without_the_time_it_stood_still():
    report = reported(
        [(0, STARTED), (10, STOPPED), (1000, RESUMED), (1005, flow_events.FlowCompleted())],
        [(0, STARTED)],
        [(0, STARTED), (3, flow_events.FlowFailed(step_index=0, reason="`make` ended with 2"))],
    )
    assert report.flow_runs.ended == {"completed": 1, "failed": 1}
    assert report.flow_runs.unfinished == {"running": 1}
    assert report.flow_runs.took.longest_ms == 15_000
    assert [(f.what, f.cause) for f in report.failures] == [("flow", "… ended with #")]


def test_a_flow_that_asks_a_person_waits_for_the_answer():
    asked = flow_events.FlowAsked(request=HumanRequest(request_id="r1", question="?", place=PLACE))
    answered = flow_events.FlowAnswered(request_id="r1", answer="yes")
    report = reported([(0, STARTED), (1, asked), (61, answered)], [(0, STARTED), (1, asked)])
    assert [(w.cause, w.took.total_ms, w.waiting_now) for w in report.waits] == [
        ("human_step", 60_000, 1)
    ]


def test_an_answer_that_is_none_is_a_failure_of_its_own():
    none = flow_events.FlowStepEnded(visit=1, place=PLACE, outcome="no_answer")
    report = reported([(0, STARTED), (1, none), (1, STOPPED)])
    assert [(f.what, f.cause) for f in report.failures] == [("flow", "no valid answer")]
    assert report.flow_runs.ended == {"stopped": 1}


def test_commands_of_a_flow_count_as_steps_but_the_no_of_a_condition_is_no_failure():
    def ended(**how):
        return flow_events.FlowStepEnded(visit=1, place=PLACE, outcome="done", **how)

    report = reported(
        [
            (0, STARTED),
            (1, step("Green?", passed=False)),
            (1, ended(answer="no", exit_code=1)),
            (2, step("build", passed=False)),
            (2, ended(exit_code=2)),
            (3, ended()),
        ]
    )
    assert [(s.label, s.failed, s.ran) for s in report.steps] == [("build", 1, 1)]


def test_entries_wait_in_the_queue_until_they_start():
    report = reported(
        [
            (0, entry("a")),
            (0, entry("b")),
            (0, entry("c")),
            (20, queue_events.EntryStarted(entry_id="a")),
            (30, queue_events.EntryRemoved(entry_id="b")),
            (40, queue_events.EntryRefused(entry_id="c", type="x", reason="agent 'x' is missing")),
        ]
    )
    assert [(w.cause, w.took.count, w.took.total_ms, w.waiting_now) for w in report.waits] == [
        ("queue", 1, 20_000, 1)
    ]
    assert [(f.what, f.cause) for f in report.failures] == [("start", "agent … is missing")]


@pytest.mark.parametrize(
    ("project", "waiting"), [("", 2), ("shop", 1), ("/home/u/shop", 1), ("hop", 0), ("/shop", 0)]
)
def test_of_the_queue_only_the_entries_of_a_project_count(project, waiting):
    fold = StreamFold(None, project)
    fold.add(entry("a"), T0)
    fold.add(entry("b", "/srv/other"), T0)
    assert fold.end().open_waits.total() == waiting


# --- from when


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("7d", NOW - timedelta(days=7)),
        (" 12 H ", NOW - timedelta(hours=12)),
        ("2w", NOW - timedelta(weeks=2)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T10:00+02:00", datetime(2026, 3, 1, 8, tzinfo=UTC)),
    ],
)
def test_a_beginning_is_so_long_ago_or_a_date_in_utc(text, since):
    assert read_since(text, NOW) == since


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "0d",
        "-3d",
        "7",
        "7 days ago",
        "2026-02-30",
        "999999w",
        "9" * 5000,
        "\x1b[2J",
    ],
)
def test_what_is_no_beginning_is_refused_with_what_would_be_one(text):
    with pytest.raises(BadSinceError, match="12h, 7d, 2w") as refused:
        read_since(text, NOW)
    assert refused.value.message.isprintable()
    assert len(refused.value.message) < 250


def test_a_beginning_in_the_future_is_refused():
    with pytest.raises(BadSinceError, match="is in the future"):
        read_since("2027-01-01", NOW)


# --- words


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("", "no reason was told"),
        ("\n  it  failed 3 times,\nagain", "it failed # times,"),
        ("no file 'a.py' at 1.2.3", "no file … at #"),
    ],
)
def test_a_cause_is_a_reason_without_what_differs(reason, cause):
    assert cause_of(reason) == cause


def test_a_cause_is_short():
    assert len(cause_of("x" * 10_000)) == MAX_CAUSE


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0.0 s"),
        (9_940, "9.9 s"),
        (59_999, "59 s"),
        (60_000, "1 min"),
        (3_599_000, "59 min 59 s"),
        (7_260_000, "2 h 1 min"),
        (90_000_000_000, "1,041 d 16 h"),
    ],
)
def test_times_are_reported_in_their_two_greatest_units(ms, words):
    assert duration(ms) == words


def test_numbers_are_reported_in_short():
    assert [amount(n) for n in (0, 999, 1_000, 999_999, 1_250_000, 3 * 10**9)] == [
        *("0", "999", "1.0 k", "1.0 M", "1.2 M", "3.0 G")
    ]
    told = Money(told=1_234_500_000)
    assert [money(Money(), {}), money(told, {"USD": 1234.5, "CHF": 0.001})] == [
        *("–", "$1,234.50 + <0.01 CHF")
    ]
    assert [share(0, 0), share(0, 9), share(1, 1000), share(999, 1000), share(5, 5)] == [
        *("–", "0 %", "1 %", "99 %", "100 %")
    ]
