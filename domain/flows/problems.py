"""What can be wrong with a flow file, and what doors refuse of flows: a branch of domain/core/errors.py."""

from collections.abc import Iterable

from domain.core.errors import ConflictError, InvalidError, NotFoundError
from domain.core.wire import Wire

_SHOWN = 20


class FlowProblem(Wire):
    """One thing that is wrong: `step` is the number of a step, `field` the way to it in the file.

    Lines and columns count from 1; 0 is where they are not known.
    """

    type: str
    message: str
    step: int | None = None
    field: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        step = f"step {self.step}" if self.step is not None else ""
        where = ", ".join(part for part in (place, step, self.field) if part)
        return (
            f"{where}: {self.message} ({self.type})" if where else f"{self.message} ({self.type})"
        )


class FlowProblemsError(InvalidError):
    """A flow file is invalid; `problems` lists everything that is wrong."""

    type = "invalid_flow"

    def __init__(self, problems: Iterable[FlowProblem]) -> None:
        self.problems = tuple(problems)
        shown = [str(problem) for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            shown.append(f"and {len(self.problems) - _SHOWN} more")
        super().__init__("\n".join(shown))


class FlowTextError(ValueError):
    """A text that a flow names by its file can't be had; the message says which, why, what to do."""


class UnknownFlowError(NotFoundError):
    """Unknown flow; the message lists all flows."""

    type = "unknown_flow"


class FlowBrokenError(ConflictError):
    """The file of a flow is invalid; the message says where and why."""

    type = "flow_broken"


class FlowNotTrustedError(ConflictError):
    """A repository's flow runs commands, and its current file is not trusted."""

    type = "flow_not_trusted"
