"""The tool with which an agent leaves a decision to the person."""

from typing import Any

from pydantic import AliasChoices, Field, field_validator

from adapters.tolerant import as_list
from adapters.tools.grants import Grant
from adapters.tools.host import Host
from adapters.tools.schemas import object_of, text
from adapters.tools.tool import HostTool, Tool
from domain.agents.agents import SessionRole
from domain.conversations.questions.commands import AskDecision, OfferedOption
from domain.conversations.questions.deciding import MAX_DECISION_OPTIONS, MIN_OPTIONS
from domain.core.ids import TurnId
from domain.core.wire import Wire

_ROLES = frozenset(
    {
        SessionRole.TASK,
        SessionRole.CHAT,
        SessionRole.FLOW,
        SessionRole.PLANNER,
        SessionRole.TASK_PLANNER,
    }
)


class DecisionAsked(Wire):
    """The arguments; an option may be its label alone."""

    question: str
    header: str = ""
    options: tuple[OfferedOption, ...]
    multi_select: bool = Field(
        default=False, validation_alias=AliasChoices("multi_select", "multiSelect")
    )

    @field_validator("options", mode="before")
    @classmethod
    def _labelled(cls, raw: Any) -> Any:
        return [{"label": o} if isinstance(o, str) else o for o in as_list(raw)]


async def _ask(host: Host, grant: Grant, asked: DecisionAsked) -> str:
    """Ask, or look for the answer: the session's workflow knows whether it is the same question."""
    command = AskDecision(
        session_id=grant.session_id,
        turn_id=grant.turn_id or TurnId(""),
        by=grant.session_id,
        withdraws_report=True,
        **dict(asked),
    )
    return (await host.door.send(grant.keeper, command)).message


_OPTION = object_of(
    {
        "label": text("A few words, like 'PostgreSQL'."),
        "description": text("What it means to choose it, in a sentence."),
    },
    ("label",),
)

QUESTION_TOOLS: tuple[Tool, ...] = (
    Tool(
        name="ask_decision",
        roles=_ROLES,
        description=(
            "Ask the person to choose between options, when the choice is theirs: a preference, a "
            "trade-off, something that is hard to undo and not said in your task. Not for what you "
            "can find out or try. It may take hours. Go on with what does not depend on it and call "
            "again with the same arguments to look for the answer, or end your turn: the answer "
            "comes as your next message. They may answer in words of their own instead."
        ),
        schema=object_of(
            {
                "question": text("What is to be decided, in a sentence or two."),
                "header": text("One or two words, like 'Database'."),
                "options": {
                    "type": "array",
                    "items": _OPTION,
                    "minItems": MIN_OPTIONS,
                    "maxItems": MAX_DECISION_OPTIONS,
                    "description": "What can be chosen; the one you advise first.",
                },
                "multi_select": {
                    "type": "boolean",
                    "description": "Whether several may be chosen.",
                },
            },
            ("question", "options"),
        ),
        host=HostTool(takes=DecisionAsked, act=_ask),
    ),
)
