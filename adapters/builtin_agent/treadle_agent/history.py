"""Conversations as pydantic-ai's messages: to and from JSON, fixed after a crash, made shorter."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import TypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.usage import RunUsage
from pydantic_ai_harness.compaction import SummarizingCompaction, compact_now, estimate_token_count
from pydantic_core import PydanticSerializationError

from treadle_agent.tolerant import whole

CUT_OFF = (
    "This call gave no result: the agent was stopped before it ended, or before it began. "
    "Look at what is there before you make it again."
)
KEPT_MESSAGES = 4
"""The newest messages, which a compaction leaves as they are."""

SUMMARIZED_RESULT_CHARACTERS = 2_000

_MESSAGE: TypeAdapter[ModelMessage] = TypeAdapter(ModelMessage)
_REQUEST = TypeAdapter(ModelRequest)


def dumped(messages: Iterable[ModelMessage]) -> list[str]:
    """Return messages as JSON."""
    return [_dumped(message) for message in messages]


def loaded(bodies: Iterable[str]) -> list[ModelMessage]:
    """Read messages from JSON."""
    return [_MESSAGE.validate_json(body) for body in bodies]


def dumped_result(part: ModelRequestPart) -> str:
    """Return the result of one tool call as JSON."""
    return dumped([ModelRequest(parts=[part])])[0]


def repaired(messages: list[ModelMessage], results: Mapping[str, str]) -> list[ModelMessage]:
    """Return a conversation that a model takes: every tool call in it has a result.

    `results` are those that were kept by themselves when the agent was killed. An answer that was cut
    off in its middle keeps its text.
    """
    found = list(messages)
    if found and isinstance(last := found[-1], ModelResponse) and last.state == "interrupted":
        found[-1:] = _text_of(last)
    parts: list[ModelRequestPart] = []
    if found and isinstance(last := found[-1], ModelRequest) and last.state == "interrupted":
        parts += last.parts
        found.pop()
    if found and isinstance(last := found[-1], ModelResponse):
        answered = {part.tool_call_id for part in parts if isinstance(part, ToolReturnPart)}
        left = (call for call in last.tool_calls if call.tool_call_id not in answered)
        parts += [_result_of(call, results) for call in left]
    return [*found, ModelRequest(parts=parts)] if parts else found


def is_prompted(messages: Sequence[ModelMessage]) -> bool:
    """Tell whether the newest request of a conversation is a prompt, and no results of calls."""
    requests = (message for message in reversed(messages) if isinstance(message, ModelRequest))
    newest = next(requests, None)
    return newest is not None and any(isinstance(p, UserPromptPart) for p in newest.parts)


async def compacted(
    messages: list[ModelMessage], model: Model, focus: str, usage: RunUsage
) -> list[ModelMessage]:
    """Return a conversation whose older part is a summary, which the model writes.

    Raises:
        AgentRunError: The model did not give one.
    """
    strategy = SummarizingCompaction[object](
        max_messages=1,
        keep_messages=KEPT_MESSAGES,
        tool_return_max_chars=SUMMARIZED_RESULT_CHARACTERS,
    )
    return await compact_now(strategy, messages, model=model, focus=focus or None, usage=usage)


def estimated_tokens(messages: Sequence[ModelMessage]) -> int:
    """Return about how many tokens a conversation has."""
    return estimate_token_count(list(messages))


def _dumped(message: ModelMessage) -> str:
    try:
        return _MESSAGE.dump_json(message).decode()
    except PydanticSerializationError:  # an answer that was cut off in the middle of a character
        return json.dumps(whole(_MESSAGE.dump_python(message, mode="json")))


def _text_of(response: ModelResponse) -> list[ModelMessage]:
    texts = [
        replace(part, content=whole(part.content))
        for part in response.parts
        if isinstance(part, TextPart) and part.content
    ]
    return [replace(response, parts=texts, state="complete")] if texts else []


def _result_of(call: ToolCallPart, results: Mapping[str, str]) -> ModelRequestPart:
    if (kept := results.get(call.tool_call_id)) is not None:
        return _REQUEST.validate_json(kept).parts[0]
    return ToolReturnPart(call.tool_name, CUT_OFF, call.tool_call_id, outcome="interrupted")
