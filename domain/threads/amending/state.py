"""What a thread knows of the changes of its running plan; the journal has them whole."""

from domain.amendments.amendment import Amendment
from domain.approvals import ApprovalRequest
from domain.ids import RequestId, SessionId
from domain.wire import Wire

MAX_VERSIONS = 20


class OpenAmendment(Wire):
    """An amendment that waits for a person."""

    number: int
    session_id: SessionId | None = None
    amendment: Amendment
    request: ApprovalRequest


class AmendedVersion(Wire):
    """A version of the running plan and the amendment that made it, in a few words."""

    version: int
    amendment_id: RequestId
    by: str
    counts: str


class Amending(Wire):
    """The version of the running plan, its newest changes, and the proposals that wait.

    `planners` are the sessions that were opened to propose one, with how often each was asked again.
    """

    count: int = 0
    version: int = 1
    versions: tuple[AmendedVersion, ...] = ()
    open: dict[RequestId, OpenAmendment] = {}
    planners: dict[SessionId, int] = {}
    failures: dict[SessionId, str] = {}

    def restarted(self) -> "Amending":
        """Return what is known when another plan starts; the numbers of amendments go on."""
        return Amending(count=self.count)

    def closed(self) -> "Amending":
        """Return what is known when the plan has ended: nothing waits any more."""
        return self.model_copy(update={"open": {}, "failures": {}})
