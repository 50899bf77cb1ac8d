"""Errors that end a command, and their exit codes."""

from collections.abc import Mapping
from typing import Any


class CommandError(Exception):
    """A command failed; the message is for a person, `code` is the exit code."""

    code = 1


class RefusedError(CommandError):
    """The API refused a request; `problem` is its problem document."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        detail = str(problem.get("detail") or problem.get("title") or "refused")
        hint = problem.get("hint")
        super().__init__(f"{detail}\n{hint}" if hint else detail)
        self.problem = dict(problem)
        self.name = str(problem.get("type", "")).removeprefix("treadle:")
        status = problem.get("status")
        self.status = status if isinstance(status, int) else 0


class UnreachableError(CommandError):
    """No engine answers."""

    code = 3
