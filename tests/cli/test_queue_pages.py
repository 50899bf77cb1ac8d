"""The queue as people see it."""

from io import StringIO

from rich.console import Console

from cli.queue.drawing import page
from domain.queue.entry import EntryState, QueueEntry, QueueLimits
from domain.reading.queue import EntryView, QueueView


def drawn(view: QueueView) -> str:
    console = Console(file=StringIO(), width=120)
    console.print(page(view))
    return console.file.getvalue()


def shown(name: str, state: EntryState, why: str = "", **more: object) -> EntryView:
    place = more.pop("place", None)
    entry = QueueEntry(entry_id=name, project="/code/app", spec_ref="x", state=state, **more)
    return EntryView(entry=entry, place=place, why=why)


def test_an_empty_queue_says_how_to_fill_it():
    assert "treadle queue add GOAL" in drawn(QueueView())


def test_what_runs_comes_first_and_what_waits_says_why():
    view = QueueView(
        entries=(
            shown("thread-one", EntryState.STARTED, "running"),
            shown("thread-two", EntryState.WAITING, "1 of 1 run", place=1),
        ),
        limits=QueueLimits(max_running=1),
        running=1,
    )
    lines = drawn(view).splitlines()
    assert lines[0].startswith("1 of 1 run")
    assert "thread-one" in lines[2]
    assert lines[3].split()[:3] == ["1", "thread-two", "waiting"]


def test_what_waits_for_a_person_says_where_to_answer():
    thread = shown("thread-one", EntryState.STARTED, "waiting for you")
    assert "Answer: treadle show thread-one" in drawn(QueueView(entries=(thread,)))
    run = shown("flow-one-1", EntryState.STARTED, "waiting for you")
    held = drawn(QueueView(entries=(run,), is_held=True))
    assert "Answer: treadle flow status flow-one-1" in held
    assert "Release it: treadle queue release" in held


def test_what_an_entry_waits_for_is_named_whole():
    name = "thread-what-is-needed-before-anything-else-can-begin-1a2b3c"
    lines = drawn(QueueView(entries=(shown("thread-two", EntryState.WAITING, name * 2),)))
    assert "…" not in lines


def test_a_held_queue_and_a_blocked_entry_say_how_to_go_on():
    blocked = shown("thread-one", EntryState.BLOCKED, "thread-zero: failed", place=1)
    assert "treadle queue release thread-one --anyway" in drawn(QueueView(entries=(blocked,)))
    refused = shown("thread-one", EntryState.BLOCKED, "gone", place=1, is_refused=True)
    assert "Retry: treadle queue release thread-one" in drawn(QueueView(entries=(refused,)))
    held = drawn(QueueView(entries=(blocked,), is_held=True, held_by="ada"))
    assert "on hold by ada" in held
    assert "Release it: treadle queue release" in held


def test_what_would_steer_a_terminal_is_seen():
    words = drawn(QueueView(entries=(shown("thread-one", EntryState.HELD, "\x1b[2Jno"),)))
    assert "\x1b" not in words


def test_only_the_newest_that_are_over_are_listed():
    over = tuple(shown(f"thread-{n}", EntryState.ENDED, "completed") for n in range(8))
    assert "3 more finished" in drawn(QueueView(over=over))
