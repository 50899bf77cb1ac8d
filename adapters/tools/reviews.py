"""The tool of those who review a task's work."""

from adapters.tools.schemas import list_of, object_of, one_of, text
from adapters.tools.tool import Arguments, Tool
from domain.agents.agents import SessionRole
from domain.core.command import AgentCommand
from domain.core.errors import InvalidError
from domain.core.ids import SessionId
from domain.core.wire import size_bytes
from domain.tasks.agent_commands import SubmitReview
from domain.verification.reviews import MAX_BYTES, ReviewVerdict, Severity

_ROOM = 4
"""So many times what is kept of findings may come: texts are cut before they are counted."""

FINDING = object_of(
    {
        "file": text(
            "Path in the repository, like 'src/a.py'; left out where it is about the whole."
        ),
        "line": {"type": "integer", "description": "The line in the file as it is now."},
        "severity": one_of(
            list(Severity),
            "blocker: it must not be merged so; major: wrong, fix it first; minor: could be better; "
            "note: for information.",
        ),
        "text": text("What is wrong, how you saw it, and what to do."),
    },
    ("severity", "text"),
)


def _review(session_id: SessionId, arguments: Arguments) -> AgentCommand:
    own = {name: value for name, value in arguments.items() if name != "session_id"}
    if (size := size_bytes(own)) > _ROOM * MAX_BYTES:
        raise InvalidError(
            f"the review has {size} bytes: say it shorter, the gravest findings first"
        )
    return SubmitReview(session_id=session_id, review=own)


REVIEW_TOOLS: tuple[Tool, ...] = (
    Tool(
        name="submit_review",
        roles=frozenset({SessionRole.CODE_REVIEWER}),
        description=(
            "Give your verdict on the work and what you found. It is what counts of your turn: "
            "without it nothing is decided. `request_changes` sends the findings back to the agent "
            "that did the work; `approve` lets the work go on, with minor findings and notes at most. "
            "Every problem of the call comes back at once: fix all of them and call again. Calling "
            "again replaces your earlier review. End your turn then."
        ),
        schema=object_of(
            {
                "verdict": one_of(list(ReviewVerdict), "Whether the work may go on as it is."),
                "summary": text("What you looked at and what you make of it, in a few sentences."),
                "findings": list_of(FINDING, "What you found, the gravest first; at most 50."),
            },
            ("verdict", "summary"),
        ),
        command=_review,
    ),
)
