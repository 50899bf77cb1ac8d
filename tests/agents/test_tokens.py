"""Tokens are counted as the stub served them, each conversation's own."""

from typing import Any

from tests.agents.tokens import Tokens, served, told


def entry(prompt: str, usage: dict[str, int], *, has_tools: bool = True) -> dict[str, Any]:
    tools = ["run"] if has_tools else []
    return {"body": {"messages": [prompt]}, "usage": usage, "tools": tools}


def test_what_was_served_is_of_one_conversation_and_without_what_was_beside_it():
    log = [
        entry("mine", {"input": 120, "cached": 50, "output": 4}),
        entry("mine", {"input": 130, "cached": 110, "output": 3}),
        entry("mine: a title", {"input": 9, "cached": 0, "output": 2}, has_tools=False),
        entry("another's", {"input": 1000, "cached": 0, "output": 1000}),
        entry("mine, unanswered", {}),
    ]
    assert served(log, "mine") == (Tokens(90, 160, 7), Tokens(9, 0, 2))


def test_an_agent_may_count_cached_ones_as_sent():
    stats = {"prompt_tokens": 250, "cached_tokens": 160, "completion_tokens": 7}
    assert told(stats) == Tokens(90, 160, 7).with_cached
