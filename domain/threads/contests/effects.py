"""What a thread must have under way for contests."""

from domain.threads.contests.state import CandidateDecision
from domain.threads.effects import OfRun


class TellCandidate(OfRun):
    """Tell a candidate what was decided of its work."""

    kind = "tell-candidate"
    is_resumable = True

    decision: CandidateDecision

    @property
    def name(self) -> str:
        """The run, and the request that was decided."""
        return f"{super().name}:{self.decision.outcome.request_id}"
