"""What was decided at another door while a person looked at it here."""

from cli.client import Client, path_of
from domain.events import JournaledEvent
from domain.events.amending import AmendmentDecided
from domain.events.task import GateDecided
from domain.events.task_plans import TaskPlanDecided
from domain.events.thread import PlanDecided
from domain.views import OpenRequest, ThreadView


def decided_elsewhere(client: Client, view: ThreadView, request: OpenRequest) -> str:
    """Say how a request was decided since it was shown; nothing while it is open."""
    asked = request.request
    if asked in [each.request for each in client.thread(view.thread_id).requests]:
        return ""
    after, path = view.position, path_of("threads", view.thread_id, "events")
    while (page := client.get(path, after=after))["events"]:
        after = page["after"]
        for row in page["events"]:
            body = JournaledEvent.model_validate(row).event.body
            if (
                isinstance(body, PlanDecided | GateDecided | TaskPlanDecided | AmendmentDecided)
                and body.outcome.request_id == asked.request_id
            ):
                words = f": {body.outcome.told}" if body.outcome.told else ""
                return (
                    f"Your answer was not sent. {asked.title} was decided meanwhile: "
                    f"{body.outcome.spoken} by {body.outcome.by}{words}"
                )
    return f"Your answer was not sent: {asked.title} waits no longer"
