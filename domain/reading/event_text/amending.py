"""Texts of amendments, the changes to a running plan."""

from domain.core.event_text import EventText, error, highlight, warning
from domain.reading.event_text.phrases import by, decided, quoted
from domain.reading.event_text.registry import describe, describes
from domain.threads.amending import events

describe(
    events.AmendmentRequested,
    lambda event: quoted(f"Change of the plan requested{by(event.by)}", event.text),
)


@describes(events.AmendmentProposed)
def _describe_amendment(event: events.AmendmentProposed) -> EventText:
    first, *others = event.lines or (event.request.title,)
    summary = f"Amendment {event.number} proposed{by(event.by)}: {first}"
    return warning(summary, "\n".join(others), milestone="amendment_proposed")


describe(
    events.AmendmentRefused,
    lambda event: warning(
        "Proposed amendment was invalid; its agent got the reasons", event.problems
    ),
)
describe(
    events.AmendmentNudged,
    lambda _: "Session ended its turn without an amendment and is asked again",
)
describe(events.AmendmentFailed, lambda event: error(f"Amendment failed: {event.reason}"))
describe(
    events.AmendmentDecided,
    lambda event: decided(event.outcome.request_id.capitalize(), event.outcome, "amendment"),
)
describe(
    events.AmendmentClosed,
    lambda event: warning(f"{event.request_id.capitalize()} closed: {event.reason}"),
)
describe(
    events.PlanAmended,
    lambda event: highlight(
        f"Plan amended to version {event.version}{by(event.by)} ({event.amendment_id}): {event.why}",
        event.counts,
    ),
)
