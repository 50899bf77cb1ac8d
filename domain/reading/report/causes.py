"""What is counted in a report: kinds of work, what waits are for, and reasons of failures as causes."""

import re
from enum import StrEnum

from domain.agents.agents import SessionRole

MAX_CAUSE = 120
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_SPACE = re.compile(r"\s+")


class Unit(StrEnum):
    """What ends, and how is counted."""

    PLAN = "plan"
    TASK = "task"
    FLOW = "flow"


class Failed(StrEnum):
    """What failed."""

    TASK = "task"
    PLANNING = "planning"
    TURN = "turn"
    FLOW = "flow"
    PUBLISHING = "publishing"
    START = "start"


class WaitCause(StrEnum):
    """What work waits for; all but the last three wait for a person."""

    PLAN = "plan_approval"
    TASK_PLAN = "task_plan_approval"
    GATE = "gate"
    REVIEW = "review"
    DECISION = "decision"
    PERMISSION = "permission"
    AMENDMENT = "amendment"
    SUGGESTION = "suggestion"
    CONFLICT = "conflict"
    HUMAN_STEP = "human_step"
    MONEY = "money"
    RATE_LIMIT = "rate_limit"
    QUEUE = "queue"
    DEPENDENCY = "dependency"

    @property
    def phrase(self) -> str:
        """What people call it."""
        return _PHRASES[self]

    @property
    def is_a_persons(self) -> bool:
        """Whether a person ends the wait."""
        return self not in {WaitCause.RATE_LIMIT, WaitCause.QUEUE, WaitCause.DEPENDENCY}


_PHRASES = {
    WaitCause.PLAN: "approval of a plan",
    WaitCause.TASK_PLAN: "approval of a task's plan",
    WaitCause.GATE: "approval of a change",
    WaitCause.REVIEW: "a review that was not made",
    WaitCause.DECISION: "a decision",
    WaitCause.PERMISSION: "a permission",
    WaitCause.AMENDMENT: "approval of an amendment",
    WaitCause.SUGGESTION: "a suggestion to plan",
    WaitCause.CONFLICT: "a conflict",
    WaitCause.HUMAN_STEP: "a flow's question",
    WaitCause.MONEY: "a spending limit",
    WaitCause.RATE_LIMIT: "a provider's limit",
    WaitCause.QUEUE: "the queue",
    WaitCause.DEPENDENCY: "another task",
}

_WORK = {
    SessionRole.CHAT: "chat",
    SessionRole.PLANNER: "planning",
    SessionRole.TASK_PLANNER: "planning",
    SessionRole.REVIEWER: "review",
    SessionRole.CODE_REVIEWER: "review",
    SessionRole.FLOW: "flow",
}


def work_of(role: SessionRole, mode: str = "") -> str:
    """Return what a session's turns are counted as: its task's mode, or what it does beside one."""
    if mode and role in {SessionRole.TASK, SessionRole.CHAT}:
        return mode
    return _WORK.get(role, role)


def cause_of(reason: str) -> str:
    """Return a reason without what differs from case to case, so that the same ones add up.

    Only its first line is kept; numbers become `#`, quoted words `…`.
    """
    line = next((line for line in reason.splitlines() if line.strip()), "no reason was told")
    plain = _NUMBER.sub("#", _QUOTED.sub("…", _SPACE.sub(" ", line).strip()))
    return plain if len(plain) <= MAX_CAUSE else f"{plain[: MAX_CAUSE - 1]}…"
