"""Texts of a thread that many prompts hold, told by the event of the journal that has them: pure.

A history then has such a text once, and not in the input of every task and in each of its prompts.
"""

from domain.core.damage_events import EventDamaged
from domain.core.event import EventBody
from domain.core.ids import EventId
from domain.core.project_map import map_of_agents
from domain.threads.amending.events import PlanAmended
from domain.threads.events import PlanProposed, ThreadOpened

HANDOFF = "handoff"
AMENDED = "amended"
PROJECT_MAP = "project_map"


def quoted_as(thread_id: str, what: str) -> EventId:
    """Return the id of an event that is quoted, told by what it is: `opened`, `plan-1`, `version-2`."""
    return EventId(f"{thread_id}:{what}")


def quote(body: EventBody, name: str) -> str:
    """Return the text that an event has for a field of prompts; empty where it has none."""
    match body:
        case PlanProposed() if name == HANDOFF:
            return body.handoff
        case PlanAmended() if name == AMENDED:
            return body.amended
        case ThreadOpened() if name == PROJECT_MAP:
            return map_of_agents(body.facts.survey.map_file, body.facts.project_map)
        case EventDamaged():
            return f"[this text is damaged in the journal: {body.reason}]"
        case _:
            return ""
