"""The steps of a flow file before their fields are read: their numbers, their nesting, what excludes what."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple, cast

from domain.flows.choices import EXITS, choices
from domain.flows.definition import MAX_DEPTH, MAX_STEPS
from domain.flows.foreign import INSTEAD
from domain.flows.problems import FlowProblem

Path = tuple[str | int, ...]
"""The way to a value in a file: keys of objects, and places in lists from 0."""

STEP_TYPES = (
    *("startLoop", "endLoop", "llm", "break", "continue", "reset"),
    *("command", "human", "wait", "if", "subflow", "reingest"),
    *("subflowWave", "prepareReviewBase", "codexReview", "validateReviewArtifacts"),
)

MAX_PROBLEMS = 100
"""Of this many wrong things no more are looked for."""

_BODIES = ("steps", "then", "else")
_ECHO = 60


@dataclass(frozen=True)
class PlacedStep:
    """A step with its number in the file and the way to it."""

    index: int
    path: Path
    raw: Mapping[str, object]

    @property
    def kind(self) -> object:
        """What its `type` says."""
        return self.raw.get("type")


class Outline(NamedTuple):
    """The steps in the order of the file, and what is wrong with their order and kinds.

    `is_whole` tells whether all were looked at: not those after too many, or below too deep ones.
    """

    steps: tuple[PlacedStep, ...]
    problems: tuple[FlowProblem, ...]
    is_whole: bool


def outline(raw: Mapping[str, object]) -> Outline:
    """Look through the steps of a file."""
    walk = _Walk()
    walk.through(raw.get("steps"), ("steps",), depth=0, is_in_loop=False)
    return Outline(tuple(walk.steps), tuple(walk.problems), is_whole=not walk.is_over)


def way(path: Path) -> str:
    """Return a path as people read it: `steps[3].messages[0].content`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{echo(part)}" for part in path)
    return "".join(parts).removeprefix(".")


def echo(text: str) -> str:
    """Return a file's own word as it may be shown: escaped, on one line, cut."""
    shown = text if len(text) <= _ECHO else f"{text[:_ECHO]}…"
    return shown if shown.isprintable() else repr(shown)[1:-1]


class _Walk:
    def __init__(self) -> None:
        self.steps: list[PlacedStep] = []
        self.problems: list[FlowProblem] = []
        self.is_over = False

    def through(self, steps: object, path: Path, *, depth: int, is_in_loop: bool) -> None:
        """Number the steps of a list and match the ends of its loops."""
        if not isinstance(steps, list):
            return
        open_loops: list[PlacedStep] = []
        for number, raw in enumerate(cast("list[object]", steps)):
            step = self._take(raw, (*path, number))
            if step is None:
                continue
            if step.kind == "endLoop":
                self._end(step, open_loops)
            is_flat = step.kind == "startLoop" and "steps" not in step.raw
            if is_flat:
                open_loops.append(step)
            depth_here = depth + len(open_loops)
            self._check(step, depth_here, is_in_loop=is_in_loop or bool(open_loops))
            for body in _BODIES:
                is_loop = step.kind == "startLoop"
                self.through(
                    None if self.is_over else step.raw.get(body),
                    (*step.path, body),
                    depth=depth_here + 1,
                    is_in_loop=is_in_loop or is_loop or bool(open_loops),
                )
        for step in [] if self.is_over else open_loops:
            self._say(step, "type", "loop_mismatch", "this startLoop has no endLoop, and no steps")

    def _take(self, raw: object, path: Path) -> PlacedStep | None:
        if self.is_over:
            return None
        if len(self.steps) == MAX_STEPS:
            self.is_over = True
            words = f"a flow has at most {MAX_STEPS} steps"
            self.problems.append(FlowProblem(type="too_large", field=way(path), message=words))
            return None
        fields = cast("dict[str, object]", raw) if isinstance(raw, dict) else {}
        step = PlacedStep(len(self.steps), path, fields)
        self.steps.append(step)
        if not isinstance(raw, dict):
            words = "a step is an object with a `type`"
            problem = FlowProblem(type="bad_value", step=step.index, field=way(path), message=words)
            self.problems.append(problem)
            return None
        return step

    def _end(self, step: PlacedStep, open_loops: list[PlacedStep]) -> None:
        if not open_loops:
            words = (
                "there is no open startLoop in this list; one with its own `steps` has no endLoop"
            )
            self._say(step, "type", "loop_mismatch", words)
            return
        begun = open_loops.pop()
        if self.steps[-2] is begun:
            self._say(begun, "type", "bad_value", "this loop has no steps")

    def _check(self, step: PlacedStep, depth: int, *, is_in_loop: bool) -> None:
        nests = any(body in step.raw for body in _BODIES)
        if depth + nests > MAX_DEPTH:
            self.is_over = True
            words = f"loops and branches stand in each other at most {MAX_DEPTH} deep"
            self._say(step, "type", "loop_mismatch", words)
        if step.kind not in STEP_TYPES:
            self._say(step, "type", *_unknown(step.kind))
        leaves_flow = step.kind == "break" and any(step.raw.get(each) for each in EXITS)
        if step.kind in ("break", "continue") and not (is_in_loop or leaves_flow):
            self._say(step, "type", "loop_mismatch", f"a {step.kind} stands in a loop")
        for field, kind, words in choices(step.kind, step.raw):
            self._say(step, field, kind, words)

    def _say(self, step: PlacedStep, field: str, kind: str, words: str) -> None:
        path = way((*step.path, field))
        self.problems.append(FlowProblem(type=kind, step=step.index, field=path, message=words))


def _unknown(kind: object) -> tuple[str, str]:
    """Return what is wrong with a step's type."""
    known = f"there are {', '.join(STEP_TYPES)}"
    if kind is None:
        return "missing_field", f"`type` is missing; {known}"
    if not isinstance(kind, str):
        return "bad_value", f"`type` is a text; {known}"
    if kind in INSTEAD:
        words = f"`{kind}` steps belong to another program (codeInfo2) and can't be done here"
        return "unknown_type", f"{words}; {INSTEAD[kind]}"
    lower = {each.lower(): each for each in STEP_TYPES}
    near = get_close_matches(kind.lower(), lower, n=1)
    hint = f"did you mean `{lower[near[0]]}`?" if near else known
    return "unknown_type", f"there is no step type `{echo(kind)}`; {hint}"
