"""An event in words: the one text of it that every reader shows."""

from enum import StrEnum
from functools import partial

from domain.core.ids import StreamId, TaskId
from domain.core.wire import Wire

MAX_SUMMARY = 500
MAX_DETAILS = 20_000


class Tone(StrEnum):
    """How a text is meant; readers give it a colour and a mark."""

    INFO = "info"
    HIGHLIGHT = "highlight"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"


class EventText(Wire):
    """What an event says: one line, and longer details below it.

    `task_id` and `run_id` are the task and the flow run that the summary names, for links.
    A `milestone` names what the event is on a timeline; without one it is not shown there.
    """

    summary: str
    details: str = ""
    tone: Tone = Tone.INFO
    task_id: TaskId | None = None
    run_id: StreamId | None = None
    milestone: str = ""

    def bounded(self) -> "EventText":
        """Return the text with its summary on one line, and both parts cut to their limits."""
        summary = cut(" ".join(self.summary.split()), MAX_SUMMARY)
        details = cut(self.details.strip("\n"), MAX_DETAILS)
        return self.model_copy(update={"summary": summary, "details": details})


def _text(
    tone: Tone,
    summary: str,
    details: str = "",
    *,
    task_id: TaskId | None = None,
    run_id: StreamId | None = None,
    milestone: str = "",
) -> EventText:
    return EventText(
        summary=summary,
        details=details,
        tone=tone,
        task_id=task_id,
        run_id=run_id,
        milestone=milestone,
    )


info = partial(_text, Tone.INFO)
highlight = partial(_text, Tone.HIGHLIGHT)
success = partial(_text, Tone.SUCCESS)
warning = partial(_text, Tone.WARNING)
error = partial(_text, Tone.ERROR)


def cut(text: str, limit: int) -> str:
    """Return a text within a limit; an ellipsis stands for what is left out."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
