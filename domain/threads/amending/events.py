"""Events of a plan that changes while it runs."""

from typing import Literal

from pydantic import Field

from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.event import EventBody, QuotedBody
from domain.core.ids import RequestId, SessionId, TaskId
from domain.plans.plan import Decision, PlannedTask
from domain.plans.warnings import PlanWarning
from domain.threads.amending.amendment import Amendment


class AmendmentRequested(EventBody):
    """A person asked for a planning session that works out how the plan should change."""

    kind: Literal["amendment_requested"] = "amendment_requested"
    session_id: SessionId
    text: str
    by: str = ""


class AmendmentProposed(EventBody):
    """Somebody proposed to change the running plan: a session's agent, or a person.

    `lines` are its card, `tasks` the new and the modified ones as they would be. `replaces` are the
    open proposals of the same session, which are not shown any more.
    """

    kind: Literal["amendment_proposed"] = "amendment_proposed"
    number: int
    session_id: SessionId | None = None
    by: str = ""
    amendment: Amendment
    lines: tuple[str, ...]
    tasks: tuple[PlannedTask, ...] = ()
    warnings: tuple[PlanWarning, ...] = ()
    request: ApprovalRequest
    replaces: tuple[RequestId, ...] = ()


class AmendmentRefused(EventBody):
    """A proposal was not possible; whoever proposed it was told every problem."""

    kind: Literal["amendment_refused"] = "amendment_refused"
    session_id: SessionId
    type: str
    problems: str


class AmendmentNudged(EventBody):
    """A session that was to propose an amendment ended its turn without one and is asked again."""

    kind: Literal["amendment_nudged"] = "amendment_nudged"
    session_id: SessionId


class AmendmentFailed(EventBody):
    """A session that was to propose an amendment ended without one; its person was told why."""

    kind: Literal["amendment_failed"] = "amendment_failed"
    session_id: SessionId
    reason: str


class AmendmentDecided(EventBody):
    """A person approved or rejected an amendment."""

    kind: Literal["amendment_decided"] = "amendment_decided"
    outcome: Outcome


class AmendmentClosed(EventBody):
    """An amendment lost a race and can't be approved any more; `type` is that of the refusal."""

    kind: Literal["amendment_closed"] = "amendment_closed"
    request_id: RequestId
    type: str
    reason: str


class PlanAmended(QuotedBody):
    """The running plan is another one from here on; running tasks go on as they are.

    `tasks` replaces or adds tasks by their ids, `removed` are gone, `order` is the order of all;
    `decisions` are new. `amended` lists all tasks for fresh agents.
    """

    kind: Literal["plan_amended"] = "plan_amended"
    plan_id: str
    version: int
    amendment_id: RequestId
    by: str
    why: str
    counts: str = ""
    tasks: tuple[PlannedTask, ...] = ()
    removed: tuple[TaskId, ...] = ()
    order: tuple[TaskId, ...] = ()
    decisions: tuple[Decision, ...] = ()
    amended: str = Field(default="", exclude_if=lambda text: not text)


AmendingEvent = (
    AmendmentRequested
    | AmendmentProposed
    | AmendmentRefused
    | AmendmentNudged
    | AmendmentFailed
    | AmendmentDecided
    | AmendmentClosed
    | PlanAmended
)
