"""Texts of amendments, the changes to a running plan."""

from domain.core.event_text import EventText, error, highlight, warning
from domain.reading.event_text.phrases import by, decided, quoted
from domain.reading.event_text.registry import describe, describes
from domain.threads.amending import events as amending_events

describe(
    amending_events.AmendmentRequested,
    lambda event: quoted(f"Change of the plan requested{by(event.by)}", event.text),
)


@describes(amending_events.AmendmentProposed)
def _describe_amendment(event: amending_events.AmendmentProposed) -> EventText:
    first, *others = event.lines or (event.request.title,)
    summary = f"Amendment {event.number} proposed{by(event.by)}: {first}"
    return warning(summary, "\n".join(others), milestone="amendment_proposed")


describe(
    amending_events.AmendmentRefused,
    lambda event: warning(
        "Proposed amendment was invalid; its agent got the reasons", event.problems
    ),
)
describe(
    amending_events.AmendmentNudged,
    lambda _: "Session ended its turn without an amendment and is asked again",
)
describe(amending_events.AmendmentFailed, lambda event: error(f"Amendment failed: {event.reason}"))
describe(
    amending_events.AmendmentDecided,
    lambda event: decided(event.outcome.request_id.capitalize(), event.outcome, "amendment"),
)
describe(
    amending_events.AmendmentClosed,
    lambda event: warning(f"{event.request_id.capitalize()} closed: {event.reason}"),
)
describe(
    amending_events.PlanAmended,
    lambda event: highlight(
        f"Plan amended to version {event.version}{by(event.by)} ({event.amendment_id}): {event.why}",
        event.counts,
    ),
)
