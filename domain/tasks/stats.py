"""What a run of a task took (seed 002, SubAgentResult)."""

from domain.agents import Usage
from domain.wire import Wire


class TaskStats(Wire):
    """Tokens as the agents told them, tool calls as they were seen, and seconds of agents' work."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    tool_calls: int = 0
    tool_failures: int = 0
    duration_seconds: float = 0.0

    @property
    def tool_successes(self) -> int:
        """The calls that did not fail."""
        return self.tool_calls - self.tool_failures

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.prompt_tokens + self.completion_tokens

    def after(
        self, usage: Usage | None, calls: int, failures: int, duration_ms: int
    ) -> "TaskStats":
        """Return the stats with one more turn."""
        return TaskStats(
            prompt_tokens=self.prompt_tokens + (usage.input_tokens if usage else 0),
            completion_tokens=self.completion_tokens + (usage.output_tokens if usage else 0),
            tool_calls=self.tool_calls + calls,
            tool_failures=self.tool_failures + failures,
            duration_seconds=round(self.duration_seconds + duration_ms / 1000, 3),
        )
