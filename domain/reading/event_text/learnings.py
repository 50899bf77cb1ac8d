"""Texts of a repository's learnings: kept, offered, cited, pinned, removed, promoted."""

from domain.core.event_text import EventText, info, success
from domain.core.text import counted
from domain.learnings import events as learning_events
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes
from domain.tasks.learnings import LearningsUsed
from domain.threads.running.events import LearningsPromoted


@describes(learning_events.LearningKept)
def _describe_kept(event: learning_events.LearningKept) -> EventText:
    origin = event.origin
    return info(f"Learning {event.learning_id} kept, from {origin.thread_id}", event.text)


describe(
    learning_events.LearningsOffered,
    lambda event: info(
        f"{counted(len(event.learning_ids), 'kept learning')} offered", " ".join(event.learning_ids)
    ),
)
describe(
    LearningsUsed,
    lambda event: f"Kept learnings that helped: {', '.join(event.learning_ids)}",
)
describe(
    learning_events.LearningCited,
    lambda event: f"Learnings used{by(event.by)}: {', '.join(event.learning_ids)}",
)


@describes(learning_events.LearningPinned)
def _describe_pinned(event: learning_events.LearningPinned) -> str:
    what = "kept for good" if event.is_pinned else "may expire again"
    return f"Learning {event.learning_id} {what}{by(event.by)}"


describe(
    learning_events.LearningRemoved,
    lambda event: f"Learning {event.learning_id} removed{by(event.by)}",
)
describe(
    learning_events.PromotionClaimed,
    lambda event: (
        f"Thread {event.thread_id} is being opened to promote {', '.join(event.learning_ids)}{by(event.by)}"
    ),
)
describe(
    learning_events.PromotionDropped,
    lambda event: (
        f"Thread {event.thread_id} could not be opened{by(event.by)}: it promotes nothing"
    ),
)
describe(
    learning_events.PromotionStarted,
    lambda event: (
        f"Promotion of {', '.join(event.learning_ids)} into AGENTS.md asked for{by(event.by)}"
    ),
)


@describes(learning_events.PromotionMerged, LearningsPromoted)
def _describe_promoted(event: learning_events.PromotionMerged | LearningsPromoted) -> EventText:
    approved = f", approved by {', '.join(event.approved_by)}" if event.approved_by else ""
    ids = ", ".join(event.learning_ids)
    return success(f"{ids} merged into AGENTS.md as {event.commit[:10]}{approved}")
