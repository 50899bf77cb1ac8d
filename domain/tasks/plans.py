"""The plan of one task, the reviewer's verdict on it, and how both are read."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, StringConstraints, ValidationError

from domain.core.agent_json import parse_json, read_fenced_json
from domain.core.errors import InvalidPlanError
from domain.core.wire import Wire

Line = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class TaskPlan(Wire):
    """What a task's planner proposes: the steps in order, and what could go wrong."""

    summary: str = Field(default="", max_length=4_000)
    steps: tuple[Line, ...] = Field(min_length=1, max_length=50)
    risks: tuple[Line, ...] = Field(
        default=(), max_length=20, validation_alias=AliasChoices("risks", "considerations")
    )

    @property
    def text(self) -> str:
        """The plan as people and agents read it."""
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(self.steps, 1))
        risks = "\n".join(f"- {risk}" for risk in self.risks)
        parts = (self.summary.strip(), steps, f"What could go wrong:\n\n{risks}" if risks else "")
        return "\n\n".join(part for part in parts if part)


class Review(Wire):
    """The verdict of the thread's agent on a task's plan."""

    verdict: Literal["approve", "revise"]
    feedback: str = Field(default="", max_length=8_000)


def read_task_plan(raw: Any) -> TaskPlan:
    """Read a proposal.

    Raises:
        InvalidPlanError: With every problem, a line each.
    """
    if isinstance(raw, str):
        try:
            raw = parse_json(raw)
        except ValueError as error:
            raise InvalidPlanError(f"bad_json: {error}") from error
    try:
        return TaskPlan.model_validate(raw)
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, e['loc'])) or 'plan'}: {e['msg']}" for e in error.errors())
        raise InvalidPlanError("\n".join(problems)) from error


def read_review(reply: str) -> Review | str:
    """Read a reviewer's reply; returns what is wrong with one that gives no verdict.

    One that shows another verdict beside its own, quoted or not, gives none: nobody can tell which.
    """
    if (count := reply.count('"verdict"')) > 1:
        return f'the reply must give one "verdict", it has {count}: quote none'
    found = read_fenced_json(reply)
    if not found.is_there:
        return found.problem
    try:
        review = Review.model_validate(found.value)
    except ValidationError:
        return 'the block must hold {"verdict": "approve" or "revise", "feedback": "..."}'
    if review.verdict == "revise" and not review.feedback.strip():
        return "a plan to be revised needs feedback that says what to change"
    return review
