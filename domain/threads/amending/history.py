"""How a thread's plans changed while they ran, readable for ever."""

from datetime import datetime
from enum import StrEnum
from functools import singledispatchmethod

from domain.core.approvals import ApprovalRequest, Choice, Outcome
from domain.core.event import Event, EventBody
from domain.core.ids import RequestId, SessionId
from domain.core.wire import Wire
from domain.plans.plan import PlannedTask
from domain.plans.warnings import PlanWarning
from domain.threads.amending import events as amending_events
from domain.threads.amending.amendment import Amendment, plan_ended
from domain.threads.events import PlanCompleted, PlanDecided, PlanStarted


class AmendmentStatus(StrEnum):
    """What became of an amendment; `replaced` by its session's next, `closed` by a race."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    REPLACED = "replaced"
    CLOSED = "closed"


class AmendmentView(Wire):
    """An amendment: its card, who proposed it, and what became of it.

    `version` is the version of the plan that it made, `reason` why it was closed undecided.
    """

    amendment_id: RequestId
    status: AmendmentStatus = AmendmentStatus.OPEN
    at: datetime
    by: str = ""
    session_id: SessionId | None = None
    amendment: Amendment
    lines: tuple[str, ...]
    tasks: tuple[PlannedTask, ...] = ()
    warnings: tuple[PlanWarning, ...] = ()
    request: ApprovalRequest
    outcome: Outcome | None = None
    decided_at: datetime | None = None
    version: int | None = None
    reason: str = ""


class PlanVersion(Wire):
    """A version of a plan: the first is what was approved, each other one an amendment's."""

    plan_id: str
    version: int
    by: str = ""
    at: datetime
    why: str = ""
    amendment_id: RequestId | None = None


class AmendmentHistory:
    """Every amendment and every version of a thread, from its events in order."""

    def __init__(self) -> None:
        self.amendments: dict[RequestId, AmendmentView] = {}
        self.versions: list[PlanVersion] = []
        self._approver = ""

    @property
    def open(self) -> tuple[AmendmentView, ...]:
        """Those that wait for a person."""
        waiting = self.amendments.values()
        return tuple(each for each in waiting if each.status is AmendmentStatus.OPEN)

    def add(self, event: Event) -> None:
        """Take the next event of the thread's own stream."""
        self._add(event.body, event.at)

    @singledispatchmethod
    def _add(self, body: EventBody, at: datetime) -> None:
        """Pass over what changes no plan."""

    @_add.register
    def _add_plan_decided(self, body: PlanDecided, at: datetime) -> None:  # noqa: ARG002 (one signature for all)
        self._approver = body.outcome.by

    @_add.register
    def _add_plan_started(self, body: PlanStarted, at: datetime) -> None:
        first = PlanVersion(
            plan_id=body.plan_id, version=1, by=self._approver, at=at, why=body.goal
        )
        self.versions.append(first)

    @_add.register
    def _add_amendment_proposed(
        self, body: amending_events.AmendmentProposed, at: datetime
    ) -> None:
        for name in body.replaces:
            self._set(name, status=AmendmentStatus.REPLACED)
        name = body.request.request_id
        self.amendments[name] = AmendmentView(
            amendment_id=name,
            at=at,
            by=body.by,
            session_id=body.session_id,
            amendment=body.amendment,
            lines=body.lines,
            tasks=body.tasks,
            warnings=body.warnings,
            request=body.request,
        )

    @_add.register
    def _add_amendment_decided(self, body: amending_events.AmendmentDecided, at: datetime) -> None:
        is_approved = body.outcome.choice is Choice.APPROVE
        self._set(
            body.outcome.request_id,
            status=AmendmentStatus.APPROVED if is_approved else AmendmentStatus.REJECTED,
            outcome=body.outcome,
            decided_at=at,
        )

    @_add.register
    def _add_plan_amended(self, body: amending_events.PlanAmended, at: datetime) -> None:
        self._set(body.amendment_id, version=body.version)
        made = PlanVersion(
            plan_id=body.plan_id,
            version=body.version,
            by=body.by,
            at=at,
            why=body.why,
            amendment_id=body.amendment_id,
        )
        self.versions.append(made)

    @_add.register
    def _add_amendment_closed(self, body: amending_events.AmendmentClosed, at: datetime) -> None:
        self._close(body.request_id, body.reason, at)

    @_add.register
    def _add_plan_completed(self, body: PlanCompleted, at: datetime) -> None:
        for each in self.open:
            self._close(each.amendment_id, plan_ended(body.final_status), at)

    def _close(self, name: RequestId, reason: str, at: datetime) -> None:
        self._set(name, status=AmendmentStatus.CLOSED, decided_at=at, reason=reason)

    def _set(self, name: RequestId, **changes: object) -> None:
        self.amendments[name] = self.amendments[name].model_copy(update=changes)
