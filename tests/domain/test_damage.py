"""What is left of a thread can be shown, whichever of its events is damaged."""

import base64
import json
from pathlib import Path

import pytest

from domain.core.damage_events import EventDamaged
from domain.core.event import Event, JournaledEvent
from domain.core.ids import thread_of
from domain.reading.damage import JournalDamagedError, fold_in, telling
from domain.reading.projection import ThreadFold
from domain.reading.report.projection import StreamFold
from domain.reading.timeline.projection import TimelineFold

HISTORIES = Path(__file__).parents[1] / "replay" / "histories"
SCENARIOS = ("main-job", "amended-plan")


def events_of(scenario):
    """The events that a recorded thread, its tasks and its sessions journaled, in order."""
    found: dict[str, Event] = {}
    for file in sorted(HISTORIES.glob(f"*-{scenario}.json")):
        for entry in json.loads(file.read_text())["events"]:
            scheduled = entry.get("activityTaskScheduledEventAttributes", {})
            for payload in scheduled.get("input", {}).get("payloads", ()):
                call = json.loads(base64.b64decode(payload["data"]))
                for event in call.get("events", ()):
                    found[event["id"]] = Event.model_validate(event)
    in_order = sorted(found.values(), key=lambda event: event.at)
    return [JournaledEvent(position=n, event=event) for n, event in enumerate(in_order, 1)]


def damaged(journaled):
    body = EventDamaged(position=journaled.position, was=journaled.event.body.kind)
    event = journaled.event.model_copy(update={"body": body})
    return journaled.model_copy(update={"event": event})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_event_of_a_thread_may_be_damaged_and_the_rest_is_reported(scenario):
    events = events_of(scenario)
    assert len(events) > 20
    thread = thread_of(events[0].event.stream)
    for number, lost in enumerate(events):
        fold, timeline, report = ThreadFold(thread), TimelineFold(thread), StreamFold()
        found: list[EventDamaged] = []
        others: list[EventDamaged] = []
        for each in [*events[:number], damaged(lost), *events[number + 1 :]]:
            fold_in(fold, each, found)
            fold_in(timeline, each, others)
            report.add(each.event.body, each.event.at)
        report.end()
        assert timeline.timeline() is not None
        told = ""
        try:
            with telling(fold.damaged, "it"):
                view = fold.view()
                told = "; ".join(view.warnings) if view else ""
        except JournalDamagedError as error:
            told = error.message
        if lost.event.body.kind != "thread_opened":
            assert f"position {lost.position}" in told, lost.event.body.kind


def test_what_does_not_fit_without_damage_is_still_a_defect():
    events = events_of("main-job")
    fold, updated = ThreadFold(thread_of(events[0].event.stream)), "task_updated"
    first = next(each for each in events if each.event.body.kind == updated)
    with pytest.raises(LookupError):
        fold_in(fold, first, [])
