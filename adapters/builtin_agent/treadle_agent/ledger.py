"""The conversation of a session: kept at every step, counted, and made shorter where it is too long."""

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.usage import RunUsage

from treadle_agent.history import compacted, dumped, estimated_tokens, is_prompted, loaded, repaired
from treadle_agent.providers import base_url, context_tokens
from treadle_agent.store import Record, Store
from treadle_agent.updates import SessionUpdates

FULL = 0.85
"""The part of a model's window that is used before the conversation is compacted."""

MOST_TOKENS = 10_000_000
"""More than any model takes and gives at once: a server that tells more counts wrongly."""


class Ledger:
    """Holds a conversation in memory as it stands on the disk, and the usage that nobody was told yet."""

    def __init__(self, record: Record, store: Store) -> None:
        self.record = record
        self.usage = RunUsage()
        self._store = store
        bodies, results = store.messages(record.session_id), store.results(record.session_id)
        self.messages: list[ModelMessage] = repaired(loaded(bodies), results)

    @property
    def finish_reason(self) -> str:
        """Why the model's newest answer ended."""
        last = self.messages[-1] if self.messages else None
        return (last.finish_reason or "") if isinstance(last, ModelResponse) else ""

    @property
    def is_unanswered(self) -> bool:
        """Tell whether the model came to its end without a word to the newest prompt."""
        last = self.messages[-1] if self.messages else None
        is_empty = isinstance(last, ModelResponse) and not last.text and not last.tool_calls
        return is_empty and self.finish_reason == "stop" and is_prompted(self.messages)

    def begin(self, content: Sequence[UserContent]) -> None:
        """Take a prompt; it is kept before anything is done with it."""
        self.messages = repaired(self.messages, {})
        self.keep([*self.messages, ModelRequest(parts=[UserPromptPart(content=list(content))])])

    def keep(self, messages: Sequence[ModelMessage]) -> None:
        """Make this the conversation."""
        self.messages = list(messages)
        self._store.commit(self.record.session_id, dumped(self.messages))

    def keep_cut_off(self, messages: Sequence[ModelMessage]) -> None:
        """Keep what there is of a step that did not come to its end."""
        if len(messages) >= len(self.messages):  # else the step had not even begun
            self.keep(messages)

    def add_result(self, call_id: str, body: str) -> None:
        """Keep the result of one of a step's calls, while the others still run."""
        self._store.add_result(self.record.session_id, call_id, body)

    def drop_answer(self) -> None:
        """Forget an answer that was cut off: it is asked for again."""
        while self.messages and isinstance(self.messages[-1], ModelResponse):
            self.messages.pop()

    def is_full(self, model: Model) -> bool:
        """Tell whether the conversation should be compacted before it is sent again."""
        newest = [m for m in self.messages[-1:] if isinstance(m, ModelRequest)]
        return self.record.used + estimated_tokens(newest) > FULL * window_of(model)

    async def count(self, model: Model, updates: SessionUpdates) -> None:
        """Count the usage of the newest answer, and tell it."""
        answer = next((m for m in reversed(self.messages) if isinstance(m, ModelResponse)), None)
        if answer is None:
            return
        reported = answer.usage.input_tokens + answer.usage.output_tokens
        if 0 <= reported <= MOST_TOKENS:
            self.usage.incr(answer.usage)
            self._add_cost(answer)
        else:
            reported, self.record.is_cost_known = 0, False
        self.record.used = reported or estimated_tokens(self.messages)  # some servers tell nothing
        self._store.save(self.record)
        await self.report_fill(model, updates)

    async def report_fill(self, model: Model, updates: SessionUpdates) -> None:
        """Tell how full the context is, and what the session cost, where that is known."""
        reported: dict[str, Any] = {"used": self.record.used, "size": window_of(model)}
        if self.record.is_cost_known and self.record.cost:
            reported["cost"] = {"amount": round(self.record.cost, 6), "currency": "USD"}
        await updates.update("usage_update", **reported)

    async def compact(self, model: Model, focus: str) -> None:
        """Replace the older part of the conversation by a summary.

        Raises:
            AgentRunError: The model gave none.
        """
        shorter = await compacted(self.messages, model, focus, self.usage)
        self.keep(shorter)
        self.record.used = estimated_tokens(shorter)
        self._store.save(self.record)

    def take_usage(self) -> dict[str, int]:
        """Return, once, the tokens since the last time in ACP's words: input without cached ones."""
        usage, self.usage = self.usage, RunUsage()
        cached = usage.cache_read_tokens + usage.cache_write_tokens
        return {
            "inputTokens": max(usage.input_tokens - cached, 0),
            "outputTokens": usage.output_tokens,
            "cachedReadTokens": usage.cache_read_tokens,
            "cachedWriteTokens": usage.cache_write_tokens,
            "totalTokens": usage.total_tokens,
        }

    def _add_cost(self, answer: ModelResponse) -> None:
        """Add what an answer cost by the provider's list; nobody knows what other servers take."""
        if base_url(self.record.model.partition(":")[0]) is not None:
            self.record.is_cost_known = False
            return
        try:
            self.record.cost += float(answer.cost().total_price)
        except (LookupError, ValueError, AssertionError):
            self.record.is_cost_known = False


def window_of(model: Model) -> int:
    """Return how many tokens a model takes, in and out together; a guess where nobody knows."""
    return context_tokens() or model.context_window or 128_000
