"""Makes a model's answer fit to be worked on, shown and kept, before anything is done with it."""

import json
from dataclasses import replace
from typing import Any

import json_repair
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import IncompleteToolCall, ModelAPIError, ModelConnectionError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import RunContext

from treadle_agent.history import is_prompted
from treadle_agent.tolerant import whole

CUT_OFF, EMPTY = "the answer broke off", "the answer was empty"


class Answers(AbstractCapability[object]):
    """Fixes answers: arguments that are JSON, ids that are unique in the conversation, whole characters.

    What a person is shown of a call, and asked about, is then what is done. An answer that broke off
    is asked for again, and so is an empty one. One that has all its calls, or only text, or nothing
    though it came to its end, is taken the second time: some servers never say why an answer ended.
    """

    def __init__(self) -> None:
        self._is_doubted = False

    async def after_model_request(
        self,
        ctx: RunContext[object],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Return the answer fixed.

        Raises:
            ModelConnectionError: It broke off, or is empty.
            ModelAPIError: The model made no sense, as its provider says.
            IncompleteToolCall: It reached its longest before it said anything that can be used.
        """
        has_reached_limit = response.finish_reason == "length"
        calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
        cut = [call for call in calls if _arguments(call.args) is None]
        name = request_context.model.model_name
        if response.finish_reason == "error":
            raise ModelAPIError(name, f"it ended by {_finish_reason(response)}")
        if not self._is_doubted and not calls and _is_lacking(response, ctx.messages):
            self._is_doubted = True
            raise ModelConnectionError(name, EMPTY)
        if not has_reached_limit and _finish_reason(response) is None and (cut or not calls):
            self._is_doubted = not self._is_doubted
            if cut or self._is_doubted or not response.text:
                raise ModelConnectionError(name, CUT_OFF)
        self._is_doubted = False
        parts = list(response.parts)
        if has_reached_limit:
            parts = [part for part in parts if part not in cut]
            if not any(isinstance(part, (TextPart, ToolCallPart)) for part in parts):
                raise IncompleteToolCall("the answer reached its longest before its first call")
        return replace(response, parts=_fixed(parts, _ids_of(ctx.messages)))


def _is_lacking(response: ModelResponse, messages: list[ModelMessage]) -> bool:
    """Tell whether an answer without a call says that it has one, or says nothing to a prompt."""
    if response.finish_reason == "tool_call":
        return True
    return response.finish_reason == "stop" and not response.text and is_prompted(messages)


def _finish_reason(response: ModelResponse) -> str | None:
    """Return why an answer ended, in the provider's word; None where nothing was told."""
    reason = (response.provider_details or {}).get("finish_reason")
    is_filtered = response.finish_reason == "content_filter"
    return response.finish_reason if reason is None and is_filtered else reason


def _fixed(parts: list[ModelResponsePart], known: set[str]) -> list[ModelResponsePart]:
    fixed: list[ModelResponsePart] = []
    for part in parts:
        if isinstance(part, ToolCallPart):
            call_id = _unused(part.tool_call_id, known)
            known.add(call_id)
            fixed.append(replace(part, args=_repaired(part.args), tool_call_id=call_id))
        elif isinstance(part, (TextPart, ThinkingPart)):
            fixed.append(replace(part, content=whole(part.content)))
        else:
            fixed.append(part)
    return fixed


def _unused(call_id: str, known: set[str]) -> str:
    """Return an id that no call before has: some servers begin anew with every answer."""
    names = (call_id, *(f"{call_id}-{number}" for number in range(2, len(known) + 3)))
    return next(name for name in names if name not in known)


def _ids_of(messages: list[ModelMessage]) -> set[str]:
    answers = (message for message in messages if isinstance(message, ModelResponse))
    return {call.tool_call_id for answer in answers for call in answer.tool_calls}


def _arguments(args: Any) -> Any:
    """Return a call's arguments as they were written, None where they are no JSON."""
    if not isinstance(args, str) or not args.strip():
        return args or {}
    try:
        return json.loads(args)
    except (ValueError, RecursionError):
        return None


def _repaired(args: Any) -> Any:
    """Return arguments as an object, as far as they can be read; nonsense is left to be refused."""
    found = _arguments(args)
    if found is None and isinstance(args, str):
        try:
            found = json_repair.loads(args, skip_json_loads=True)
        except (ValueError, RecursionError):
            return whole(args)
    if not isinstance(found, dict):
        return whole(args) if isinstance(args, str) else args
    return json.dumps(whole(found))
