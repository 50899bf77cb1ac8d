"""Tokens that the model stub served, and those that Treadle shows."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple


class Tokens(NamedTuple):
    """What calls of a model took: `fresh` ones were sent and read, `cached` ones sent and known."""

    fresh: int = 0
    cached: int = 0
    output: int = 0

    def plus(self, *others: "Tokens") -> "Tokens":
        """Return the sum with others."""
        return Tokens(*map(sum, zip(self, *others, strict=True)))

    @property
    def with_cached(self) -> "Tokens":
        """The same, as agents tell it whose input includes cached ones."""
        return self._replace(fresh=self.fresh + self.cached)


def served(log: list[dict[str, Any]], words: str) -> tuple[Tokens, Tokens]:
    """Return what was served in a conversation that holds some words, and beside it.

    Beside it are calls that offer the model no tools, for titles and summaries.
    """
    sums = {True: Tokens(), False: Tokens()}
    for entry in log:
        if entry["usage"] and words in json.dumps(entry["body"]):
            is_main = bool(entry["tools"])
            sums[is_main] = sums[is_main].plus(_of(entry["usage"]))
    return sums[True], sums[False]


def told(stats: Mapping[str, Any]) -> Tokens:
    """Return what a session's view tells."""
    return Tokens(stats["prompt_tokens"], stats["cached_tokens"], stats["completion_tokens"])


def _of(usage: Mapping[str, int]) -> Tokens:
    return Tokens(usage["input"] - usage["cached"], usage["cached"], usage["output"])
