"""Notices a model that goes in circles: the same calls, with the same results, again and again."""

from pydantic_ai.messages import ModelRequest, ModelResponse, ToolReturnPart

from treadle_agent.tool_calls import KINDS

MAX_ROUNDS = 20
"""How often in a row the same calls may give the same results."""


class RepetitionDetector:
    """Counts equal steps in a row. Tools of other servers do not count: they may be asked until they are done."""

    def __init__(self) -> None:
        self._newest = ""
        self._rounds = 0

    def is_repeating(self, answer: ModelResponse, results: ModelRequest) -> bool:
        """Take a step; tell whether it was made too often."""
        calls = [(call.tool_name, call.args) for call in answer.tool_calls]
        given = [part.content for part in results.parts if isinstance(part, ToolReturnPart)]
        is_counted = bool(calls) and all(name in KINDS for name, _args in calls)
        step = repr((calls, given)) if is_counted else ""
        self._rounds = self._rounds + 1 if step and step == self._newest else 1
        self._newest = step
        return self._rounds >= MAX_ROUNDS
