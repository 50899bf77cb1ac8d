"""A flow together with the flows that its `subflow` steps name, or what is wrong with those."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice

from domain.flows.checks import compact_bytes
from domain.flows.definition import FlowDefinition
from domain.flows.outline import MAX_PROBLEMS
from domain.flows.problems import FlowProblem
from domain.flows.starting import MAX_DEFINITION_BYTES
from domain.flows.views import FoundFlow

MAX_NESTING = 5
"""Flows that stand in each other, the first one not counted."""

MAX_SUBFLOWS = 50

LookUp = Callable[[str], FoundFlow | None]
"""Gives a flow as its own file has it, by its name; None where there is none."""


def gathered(found: FoundFlow, look_up: LookUp) -> FoundFlow:
    """Return a flow whose steps name others with those in it, or with what is wrong with one.

    A flow that has others has the hash of all their files: whoever trusts it trusts them as they are.
    """
    flow = found.definition
    if flow is None or not flow.flow_names:
        return found
    gathering = _Gathering(look_up)
    problems = tuple(islice(gathering.look_at(found), MAX_PROBLEMS))
    if not problems:
        flow = gathering.whole(found)
        size = sum(map(compact_bytes, flow.whole))
        if size > MAX_DEFINITION_BYTES:
            words = (
                f"with the flows that it names it has {size} bytes without its long texts, "
                f"and {MAX_DEFINITION_BYTES} are the most"
            )
            problems = (FlowProblem(type="too_large", message=words),)
    if problems:
        return found.model_copy(update={"definition": None, "problems": problems})
    return found.model_copy(update={"definition": flow, "content_hash": flow.content_hash})


class _Gathering:
    """Looks at each flow that can be reached once."""

    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up
        self._sound: dict[str, FoundFlow] = {}
        self._heights: dict[str, int] = {}

    def look_at(self, found: FoundFlow) -> Iterator[FlowProblem]:
        """Yield what is wrong with the flows that a flow names, at the steps that name them."""
        for step in found.definition.steps if found.definition else ():
            for name in step.flow_names:
                wrong = self._wrong(name, (found,))
                if wrong is not None:
                    yield wrong.model_copy(update={"step": step.index})

    def _wrong(self, name: str, trail: tuple[FoundFlow, ...]) -> FlowProblem | None:
        """Return the first thing that is wrong with a flow or with one that it leads to."""
        way = " → ".join([*(each.name for each in trail), name])
        height = self._heights.get(name, 0)
        if len(trail) + height > MAX_NESTING:
            words = f"flows stand in each other at most {MAX_NESTING} deep: {way}"
            return FlowProblem(type="too_deep", message=words)
        if name in self._sound:
            return None
        if len(self._sound) == MAX_SUBFLOWS:
            words = f"a flow leads to at most {MAX_SUBFLOWS} others: {way}"
            return FlowProblem(type="too_large", message=words)
        found = self._look_up(name)
        if found is None:
            words = f"there is no flow `{name}` where this one would run: {way}"
            return FlowProblem(type="unknown_flow", message=words)
        if any(each.path == found.path for each in trail):
            words = f"a flow may not come round to itself: {way}"
            return FlowProblem(type="subflow_cycle", message=words)
        if found.definition is None:
            first = found.problems[0] if found.problems else "it is broken"
            words = f"the flow `{name}` can't be run ({way}): {first}"
            return FlowProblem(type="broken_subflow", message=words)
        below = found.definition.flow_names
        for each in below:
            if (wrong := self._wrong(each, (*trail, found))) is not None:
                return wrong
        self._heights[name] = 1 + max((self._heights[each] for each in below), default=-1)
        self._sound[name] = found
        return None

    def whole(self, found: FoundFlow) -> FlowDefinition:
        """Return a flow with all flows that it reaches, and the hash of all their files."""
        subflows: list[FlowDefinition] = []
        for each in self._reached(found):
            if each.definition is not None:
                known = {"content_hash": self._hash(each)}
                subflows.append(each.definition.model_copy(update=known))
        if found.definition is None:
            raise RuntimeError("a broken flow has nothing to gather")
        known = {"subflows": tuple(subflows), "content_hash": self._hash(found)}
        return found.definition.model_copy(update=known)

    def _reached(self, found: FoundFlow) -> tuple[FoundFlow, ...]:
        names: dict[str, None] = {}
        waiting = [found]
        while waiting:
            flow = waiting.pop(0).definition
            new = [name for name in flow.flow_names if name not in names] if flow else []
            names |= dict.fromkeys(new)
            waiting += (self._sound[name] for name in new)
        return tuple(self._sound[name] for name in names)

    def _hash(self, found: FoundFlow) -> str:
        """Return the hash that a flow has when it is run by itself."""
        others = self._reached(found)
        if not others:
            return found.content_hash
        files = sorted({f"{each.content_hash} {each.path}" for each in (found, *others)})
        return hashlib.sha256("\n".join(files).encode("utf-8", "backslashreplace")).hexdigest()
