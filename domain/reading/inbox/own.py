"""Which of what waits is one person's: what they may decide, and what is not assigned to somebody else."""

from collections.abc import Callable, Iterable
from functools import cache

from domain.agents.limits.money import Limited
from domain.conversations.questions.question import QuestionKind
from domain.people.commands import role_for
from domain.people.roles import EVERY_PROJECT, Role
from domain.reading.inbox.item import InboxItem, InboxKind

_DOORS = {
    InboxKind.PLAN: "approve",
    InboxKind.SUGGESTION: "approve",
    InboxKind.TASK_PLAN: "approve",
    InboxKind.AMENDMENT: "approve",
    InboxKind.GATE: "approve",
    InboxKind.BEST_OF: "take",
    InboxKind.DECISION: "decide",
    InboxKind.QUESTION: "answer_permission",
    InboxKind.CONFLICT: "resolve_conflict",
    InboxKind.REVIEW_HELD: "skip_wait",
    InboxKind.ESCALATION: "retry",
    InboxKind.FLOW_QUESTION: "answer_flow",
    InboxKind.CONCERN: "stop_turn",
    InboxKind.SET_UP: "retry_set_up",
    InboxKind.ISSUE: "keep_issue",
    InboxKind.PULL_REQUEST: "dismiss_pull_request_item",
    InboxKind.LIMIT: "raise_limit",
    InboxKind.LIMIT_NEAR: "raise_limit",
}
"""The command that answers each kind; a host that is silent is for the admins of the server."""

RoleIn = Callable[[str], Role]
"""Returns the role that a person has in a project."""


def marked(items: Iterable[InboxItem], person: str, role_in: RoleIn) -> tuple[InboxItem, ...]:
    """Return items with `is_mine` as it is for one person of a server with people."""
    known = cache(role_in)
    return tuple(
        item if is_of(item, person, known) else item.model_copy(update={"is_mine": False})
        for item in items
    )


def is_of(item: InboxItem, person: str, role_in: RoleIn) -> bool:
    """Tell whether an item is a person's: theirs or nobody's by assignment, and theirs to decide.

    By four eyes a request is not of who opened or edited what is asked, nor of who approved it.
    """
    if item.assignee not in {"", person}:
        return False
    if item.not_by and all(person in not_by for not_by in item.not_by):
        return False
    return role_in(item.project or EVERY_PROJECT).allows(role_of(item))


def role_of(item: InboxItem) -> Role:
    """Return the role that the answer to an item needs."""
    asked = item.question
    if asked is not None and asked.question.kind is QuestionKind.DECISION:
        return role_for(_DOORS[InboxKind.DECISION])
    if item.limit is not None and item.limit.request.scope.kind is Limited.MONTH:
        return Role.ADMIN  # of all projects, as the API has it
    return role_for(_DOORS.get(item.kind, ""))
