"""What the editor is told of the transcript: a thread's events as updates of the protocol."""

from collections.abc import Iterator
from typing import Any, cast

from acp import helpers, schema
from pydantic import BaseModel, ValidationError

from cli.acp.names import is_own_session
from domain.agents.agents import PromptName
from domain.agents.limits.money import HOLDS
from domain.agents.updates import MESSAGE, THOUGHT, TOOL_CALL, TOOL_CALL_UPDATE, kind_of
from domain.conversations.events import (
    AgentUpdate,
    MessageQueued,
    TurnDelayed,
    TurnEnded,
)
from domain.core.attachments import Attachment
from domain.core.event import Event
from domain.core.text import counted
from domain.threads.events import PlanCompleted, PlanningFailed, PlanRequested, ThreadOpened
from domain.threads.landing.events import BranchMerged

Update = BaseModel
"""One of the protocol's updates (`acp.schema.SessionNotification`)."""

_PASSED: dict[str, type[BaseModel]] = {
    MESSAGE: schema.AgentMessageChunk,
    THOUGHT: schema.AgentThoughtChunk,
    TOOL_CALL: schema.ToolCallStart,
    TOOL_CALL_UPDATE: schema.ToolCallProgress,
    "usage_update": schema.UsageUpdate,
}
"""What agents say that the editor is told as it is; plans, modes and commands are Treadle's there."""


class Teller:
    """Tells the events of one thread in order; what was said in this editor itself is not told again."""

    def __init__(self, thread_id: str) -> None:
        self.mine: set[str] = set()
        """The messages that were sent by this editor; its goals are in here as well."""
        self._thread_id = thread_id
        self._goal = ""

    def tell(self, event: Event) -> Iterator[Update]:
        """Yield what the editor is told of an event; nothing of most."""
        body = event.body
        if is_own_session(event.stream, self._thread_id):
            yield from self._of_session(body)
        elif event.stream == self._thread_id:
            yield from self._of_thread(body)

    def is_mine(self, message_id: str) -> bool:
        """Tell whether a message was sent by this editor: its id ends with that of the command."""
        return message_id.rpartition("/")[2] in self.mine

    def _of_thread(self, body: Any) -> Iterator[Update]:
        match body:
            case ThreadOpened(goal=goal):
                self._goal = goal
                if body.imported is not None and body.imported.said:
                    yield _line(f"Imported from an earlier session:\n\n{body.imported.said}")
                yield from self._said(goal)
                if body.facts.uncommitted:
                    left = counted(body.facts.uncommitted, "uncommitted change")
                    yield _line(f"{left} ignored: work starts from HEAD.")
            case PlanRequested(goal=goal) if goal != self._goal:
                yield from self._said(f"/plan {goal}" if goal not in self.mine else goal)
            case PlanningFailed(reason=reason):
                yield _line(f"Planning failed: {reason}")
            case BranchMerged(failure=failure) if failure:
                yield _line(f"Not merged: {failure}")
            case BranchMerged():
                yield _line(f"Merged into {body.target}: {body.merge_commit[:12]}")
            case PlanCompleted():
                yield _line(body.words)
            case _:
                pass

    def _of_session(self, body: Any) -> Iterator[Update]:
        match body:
            case MessageQueued(prompt=prompt) if prompt.by and prompt.name is PromptName.MESSAGE:
                if not (self.is_mine(body.message_id) or body.message_id.endswith("/goal")):
                    text = prompt.fields.get("text", "")
                    yield helpers.update_user_message_text(text + _named(prompt.attachments))
            case AgentUpdate(update=update):
                passed = passed_on(update, body.turn_id)
                if passed is not None:
                    yield passed
            case TurnDelayed():
                if body.provider in HOLDS:
                    says = f"Waiting for {body.provider}: {body.reason}. "
                    ends = "The turn continues once there is room."
                else:
                    says = f"{body.provider} refused: {body.reason}. "
                    ends = f"The turn continues at {body.until:%Y-%m-%d %H:%M} UTC."
                yield helpers.update_agent_thought_text(f"{says}{ends}\n")
            case TurnEnded(result=result) if result.failure:
                yield _line(result.failure)
            case _:
                pass

    def _said(self, goal: str) -> Iterator[Update]:
        if goal not in self.mine:
            yield helpers.update_user_message_text(goal)


def passed_on(update: dict[str, Any], turn_id: str) -> Update | None:
    """Return an agent's update for the editor, None for one that is not for it.

    Ids of tool calls begin with their turn, as those of other turns and agents may be the same. A terminal is one of
    Treadle's, which the editor has not.
    """
    model = _PASSED.get(kind_of(update))
    if model is None:
        return None
    if "toolCallId" in update:
        update = {**update, "toolCallId": f"{turn_id}:{update['toolCallId']}"}
        if isinstance(content := update.get("content"), list):
            blocks = cast("list[Any]", content)
            update["content"] = [_of_terminal(each) for each in blocks]
    try:
        return model.model_validate(update)
    except ValidationError:
        return None  # of a newer protocol, or none; the journal has it


def _of_terminal(content: Any) -> Any:
    if not isinstance(content, dict) or cast("dict[str, Any]", content).get("type") != "terminal":
        return cast("Any", content)
    return helpers.tool_content(helpers.text_block("(a terminal of Treadle)")).model_dump(
        by_alias=True
    )


def _line(text: str) -> Update:
    return helpers.update_agent_message_text(f"\n\n{text}\n")


def _named(attachments: tuple[Attachment, ...]) -> str:
    return "".join(f"\n[attached: {each.name}]" for each in attachments)
