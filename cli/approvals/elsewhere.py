"""Requests that are decided elsewhere while a person reviews them here."""

from cli.core.client import Client, path_of
from cli.core.views import read_thread
from domain.reading.event_kinds import read_event
from domain.reading.views import OpenRequest, ThreadView
from domain.tasks.events import GateDecided
from domain.tasks.plan_events import TaskPlanDecided
from domain.threads.amending.events import AmendmentDecided
from domain.threads.events import PlanDecided


def decided_elsewhere(client: Client, view: ThreadView, request: OpenRequest) -> str:
    """Return how a request was decided since it was shown; empty while it is open."""
    asked = request.request
    if asked in [each.request for each in read_thread(client, view.thread_id).requests]:
        return ""
    after, path = view.position, path_of("threads", view.thread_id, "events")
    while (page := client.get(path, after=after))["events"]:
        after = page["after"]
        for row in page["events"]:
            body = read_event(row).event.body
            if (
                isinstance(body, PlanDecided | GateDecided | TaskPlanDecided | AmendmentDecided)
                and body.outcome.request_id == asked.request_id
            ):
                words = f": {body.outcome.full_feedback}" if body.outcome.full_feedback else ""
                return (
                    f"Your answer was not sent: {asked.title} was decided in the meantime: "
                    f"{body.outcome.spoken} by {body.outcome.by}{words}"
                )
    return f"Your answer was not sent: {asked.title} is no longer waiting"
