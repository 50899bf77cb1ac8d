"""Readers of events of any kind: importing this module makes every kind known."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from domain.agents import events as agents_events
from domain.agents import terminal_events
from domain.conversations import events as conversations_events
from domain.conversations.questions import events as conversations_questions_events
from domain.core import damage_events, four_eyes, notices
from domain.core.directories import events as core_directories_events
from domain.core.event import AnyBody, Event, EventBody, JournaledEvent
from domain.core.lifecycle import events as core_lifecycle_events
from domain.flows import events as flows_events
from domain.flows.moving import events as flows_moving_events
from domain.learnings import events as learnings_events
from domain.money import events as money_events
from domain.publications import events as publications_events
from domain.queue import events as queue_events
from domain.recipes import events as recipes_events
from domain.retention import events as retention_events
from domain.tasks import edits as tasks_edits
from domain.tasks import events as tasks_events
from domain.tasks import learnings, plan_events
from domain.threads import events as threads_events
from domain.threads.amending import events as threads_amending_events
from domain.threads.bases import events as threads_bases_events
from domain.threads.children import events as threads_children_events
from domain.threads.contests import events as threads_contests_events
from domain.threads.landing import events as threads_landing_events
from domain.threads.merging import events as threads_merging_events
from domain.threads.moving import events as threads_moving_events
from domain.threads.plan_files import events as threads_plan_files_events
from domain.threads.planning import events as threads_planning_events
from domain.threads.publishing import events as threads_publishing_events
from domain.threads.publishing import stack_events
from domain.threads.replacing import events as threads_replacing_events
from domain.threads.running import decision_events
from domain.threads.running import events as threads_running_events
from domain.threads.setting_up import events as threads_setting_up_events
from domain.threads.working import events as threads_working_events
from domain.trackers import events as trackers_events
from domain.verification import review_events

MODULES = (
    agents_events,
    terminal_events,
    conversations_events,
    conversations_questions_events,
    damage_events,
    core_directories_events,
    core_lifecycle_events,
    notices,
    four_eyes,
    flows_events,
    flows_moving_events,
    money_events,
    publications_events,
    queue_events,
    recipes_events,
    retention_events,
    tasks_edits,
    tasks_events,
    learnings,
    learnings_events,
    plan_events,
    threads_amending_events,
    threads_children_events,
    threads_contests_events,
    threads_events,
    threads_landing_events,
    threads_merging_events,
    threads_plan_files_events,
    threads_planning_events,
    threads_publishing_events,
    stack_events,
    threads_bases_events,
    decision_events,
    threads_moving_events,
    threads_replacing_events,
    threads_running_events,
    threads_setting_up_events,
    threads_working_events,
    trackers_events,
    review_events,
)
"""Where the bodies of events are defined."""

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
BODY: TypeAdapter[EventBody] = TypeAdapter(AnyBody)
JOURNALED: TypeAdapter[JournaledEvent] = TypeAdapter(JournaledEvent)


class UnknownBody(EventBody):
    """What an event says that is not known here: one of a newer engine."""

    kind: str


def read_event(row: Mapping[str, Any]) -> JournaledEvent:
    """Return an event of an engine that may be newer than this program: of what is unknown, the envelope."""
    try:
        return JOURNALED.validate_python(row)
    except ValidationError:
        event = row["event"]
        body = UnknownBody(kind=str(event["body"].get("kind", "")))
        return JOURNALED.validate_python({**row, "event": {**event, "body": body}})
