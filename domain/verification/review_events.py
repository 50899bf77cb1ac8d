"""Events of the reviews of a task's work, in its stream; their ends are ends of verification steps."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.verification.reviews import Review


class ReviewSubmitted(EventBody):
    """A reviewer answered; the newest answer of its turn counts."""

    kind: Literal["review_submitted"] = "review_submitted"
    session_id: SessionId
    review: Review


class ReviewMissed(EventBody):
    """A reviewer's turn ended without a review; it is asked again. `problem` is what its reply lacks."""

    kind: Literal["review_missed"] = "review_missed"
    session_id: SessionId
    problem: str = ""


ReviewEvent = ReviewSubmitted | ReviewMissed
