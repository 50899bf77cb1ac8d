"""What a thread knows of the changes of its running plan; the journal has them whole."""

from domain.core.approvals import ApprovalRequest
from domain.core.errors import (
    ConflictError,
    StaleError,
    TaskCompletedError,
    TreadleError,
    WrongStateError,
)
from domain.core.ids import RequestId, SessionId
from domain.core.wire import Wire
from domain.plans.warnings import PlanWarning
from domain.threads.amending.amendment import Amendment, plan_ended

MAX_VERSIONS = 20
MAX_LOST = 50

_KINDS: dict[str, type[TreadleError]] = {
    kind.type: kind for kind in (StaleError, TaskCompletedError, WrongStateError)
}


class OpenAmendment(Wire):
    """An amendment that waits for a person; `doubts` are what in it can't be used here."""

    number: int
    session_id: SessionId | None = None
    amendment: Amendment
    request: ApprovalRequest
    doubts: tuple[PlanWarning, ...] = ()
    by: str = ""


class LostAmendment(Wire):
    """Why an amendment is not asked about any more; `type` is that of the refusal."""

    type: str
    reason: str

    def refusal(self, name: str) -> TreadleError:
        """Return what a person is told who decides on it all the same."""
        return _KINDS.get(self.type, ConflictError)(f"{name} was closed: {self.reason}")


class AmendedVersion(Wire):
    """A version of the running plan and the amendment that made it, in a few words."""

    version: int
    amendment_id: RequestId
    by: str
    counts: str


class Amending(Wire):
    """The version of the running plan, its newest changes, and the proposals that wait.

    `planners` are the sessions that were opened to propose one, with how often each was asked again.
    `lost` has the newest that were closed before a person decided, for those who still answer them.
    """

    count: int = 0
    version: int = 1
    versions: tuple[AmendedVersion, ...] = ()
    open: dict[RequestId, OpenAmendment] = {}
    planners: dict[SessionId, int] = {}
    failures: dict[SessionId, str] = {}
    lost: dict[RequestId, LostAmendment] = {}

    def restarted(self) -> "Amending":
        """Return what is known when another plan starts; the numbers of amendments go on."""
        return Amending(count=self.count, lost=self.lost)

    def without(self, request_id: RequestId, why: LostAmendment) -> "Amending":
        """Return what is known when an open amendment was closed."""
        left = {name: each for name, each in self.open.items() if name != request_id}
        return self.model_copy(update={"open": left, "lost": self._with_lost({request_id: why})})

    def closed(self, ending: str) -> "Amending":
        """Return what is known when the plan has ended: nothing waits any more."""
        why = LostAmendment(type=WrongStateError.type, reason=plan_ended(ending))
        lost = self._with_lost(dict.fromkeys(self.open, why))
        return self.model_copy(update={"open": {}, "failures": {}, "lost": lost})

    def _with_lost(self, more: dict[RequestId, LostAmendment]) -> dict[RequestId, LostAmendment]:
        return dict(list({**self.lost, **more}.items())[-MAX_LOST:])
