"""Problems of a proposed plan: their stable types, and the words that a planner gets for them."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from domain.core.errors import InvalidPlanError
from domain.core.text import counted

MAX_PROBLEMS = 50
MAX_WORDS = 500
"""Characters of one problem: it may quote what the agent wrote."""


class ProblemType(StrEnum):
    """What can be wrong with a plan."""

    NO_PLAN = "no_plan"
    BAD_JSON = "bad_json"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    TOO_MANY_TASKS = "too_many_tasks"
    TOO_MANY = "too_many"
    TOO_FEW = "too_few"
    TOO_DEEP = "too_deep"
    MISSING_FIELD = "missing_field"
    UNKNOWN_FIELD = "unknown_field"
    BAD_VALUE = "bad_value"
    CONFLICT = "conflict"
    BAD_ID = "bad_id"
    DUPLICATE_ID = "duplicate_id"
    BAD_PORT_ID = "bad_port_id"
    DUPLICATE_PORT = "duplicate_port"
    UNKNOWN_PORT = "unknown_port"
    UNKNOWN_STEP = "unknown_step"
    UNKNOWN_STEP_TYPE = "unknown_step_type"
    BAD_TIMEOUT = "bad_timeout"
    REQUIRED_STEP_REMOVED = "required_step_removed"
    UNKNOWN_DECISION = "unknown_decision"
    UNKNOWN_OPTION = "unknown_option"
    DUPLICATE_OPTION = "duplicate_option"
    UNKNOWN_DEPENDENCY = "unknown_dependency"
    CYCLE = "cycle"
    BAD_GROUP = "bad_group"
    NOT_PARALLEL = "not_parallel"
    SPLIT_GROUP = "split_group"


class Problem(NamedTuple):
    """One problem: where it is, its type, and what to do."""

    where: str
    type: ProblemType
    text: str

    def __str__(self) -> str:
        """Return the problem as one line for the planner."""
        return f"{self.where}: {self.type}: {self.text}"[:MAX_WORDS].replace("\n", " ")


def refusal(problems: Sequence[Problem]) -> InvalidPlanError:
    """Return the error that tells all of these problems, the first of them where there are many.

    Its text lies in histories.
    """
    is_long = len(problems) > MAX_PROBLEMS
    many = f"more than {MAX_PROBLEMS} problems" if is_long else counted(len(problems), "problem")
    head = f"the plan has {many}; fix all of them and propose the whole plan again:"
    lines = tuple(str(each) for each in problems[:MAX_PROBLEMS])
    return InvalidPlanError("\n".join([head, *(f"- {each}" for each in lines)]), lines)
