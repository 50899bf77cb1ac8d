"""A flow file's bytes as a flow, or all that is wrong with them, each with its line."""

import hashlib
import re
from typing import cast

from domain.flows.checks import passed_over, surprises
from domain.flows.gathering import LookUp, gathered
from domain.flows.outline import outline, way
from domain.flows.placed_json import BadJsonError, PlacedJson, read_json
from domain.flows.problems import FlowProblem, FlowProblemsError
from domain.flows.reading import FlowTexts, read_flow
from domain.flows.views import FoundFlow

MAX_BYTES = 256 * 1024
"""Of one flow file."""

_LAST = re.compile(r"(\.[^.\[]*|\[\d+\]|^[^.\[]*)$")


def read_flow_file(raw: bytes, found: FoundFlow, texts: FlowTexts) -> FoundFlow:
    """Return what is known of a flow file with what its bytes say."""
    if len(raw) > MAX_BYTES:
        words = f"a flow file has at most {MAX_BYTES} bytes"
        problem = FlowProblem(type="too_large", message=words)
        return found.model_copy(update={"problems": (problem,)})
    digest = hashlib.sha256(raw).hexdigest()
    found = found.model_copy(update={"content_hash": digest})
    try:
        placed = read_json(raw)
    except BadJsonError as error:
        problem = FlowProblem(
            type=error.type, message=str(error), line=error.line, column=error.column
        )
        return found.model_copy(update={"problems": (problem,)})
    try:
        flow = read_flow(placed.value, found.name, texts)
    except FlowProblemsError as error:
        return found.model_copy(update={"problems": _placed(error.problems, placed)})
    known = {"content_hash": digest, "path": found.path, "scope": found.scope}
    steps = outline(cast("dict[str, object]", placed.value)).steps
    warnings = (*surprises(flow), *passed_over(steps))
    return found.model_copy(
        update={"definition": flow.model_copy(update=known), "warnings": warnings}
    )


def with_subflows(found: FoundFlow, raw: bytes, look_up: LookUp) -> FoundFlow:
    """Return what is known of a flow file with the flows that it names."""
    whole = gathered(found, look_up)
    if found.definition is None or whole.definition is not None:
        return whole
    placed = read_json(raw)
    steps = outline(cast("dict[str, object]", placed.value)).steps
    problems = (
        problem
        if problem.step is None
        else problem.model_copy(update={"field": way((*steps[problem.step].path, "flowNames"))})
        for problem in whole.problems
    )
    return whole.model_copy(update={"problems": _placed(tuple(problems), placed)})


def _placed(problems: tuple[FlowProblem, ...], placed: PlacedJson) -> tuple[FlowProblem, ...]:
    """Return problems with the lines where what they are about stands, or what should hold it."""
    places = {way(path): place for path, place in placed.places.items()}
    found: list[FlowProblem] = []
    for problem in problems:
        field = problem.field
        while field and field not in places:
            field = _LAST.sub("", field)
        line, column = places.get(field, (1, 1))
        found.append(problem.model_copy(update={"line": line, "column": column}))
    return tuple(sorted(found, key=lambda each: (each.line, each.column)))
