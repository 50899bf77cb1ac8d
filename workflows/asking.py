"""How a short workflow asks a host one question."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig

from domain.core.seals import Unsealed
from workflows.failures import words_of

Q = TypeVar("Q")
A = TypeVar("A")

_UNREPORTED = "its result was not reported by a worker of Treadle"


async def ask_host(
    activity: Callable[[Any, Q], Awaitable[A]],
    question: Q,
    how: ActivityConfig,
    unanswered: Callable[[str], A],
) -> A:
    """Return what an activity answers; that nobody could is an answer, too: `unanswered` with the reason."""
    try:
        answer: A | Unsealed = await workflow.execute_activity_method(activity, question, **how)
    except ActivityError as error:
        return unanswered(words_of(error))
    return unanswered(_UNREPORTED) if isinstance(answer, Unsealed) else answer
