"""Four eyes: a decision that one person does not take alone. Who approved is counted by person, not by token.

The rule is that of the project when the thread was opened. Nothing but different people
satisfies it: automatic approvals wait, and a new request begins to count again.
"""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from domain.core.acting import person_behind
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.wire import Wire

MAX_APPROVALS = 10


class FourEyes(Wire):
    """How many people a project asks for."""

    plan_by_another: bool = False
    """Whether who opened the thread, or edited a plan or amendment, does not approve it alone."""
    gate_approvals: int = Field(default=1, ge=1, le=MAX_APPROVALS)
    """How many people approve at the gate of a task."""

    def with_other(self, other: "FourEyes") -> "FourEyes":
        """Return what satisfies both rules."""
        return FourEyes(
            plan_by_another=self.plan_by_another or other.plan_by_another,
            gate_approvals=max(self.gate_approvals, other.gate_approvals),
        )

    @property
    def spoken(self) -> str:
        """What is asked, as people read it; empty where one person is enough."""
        plan = "plans by somebody else than their authors" if self.plan_by_another else ""
        gate = f"gates by {self.gate_approvals} people" if self.gate_approvals > 1 else ""
        return ", ".join(filter(None, (plan, gate)))

    def needed_for(self, subject: Subject, authors: Iterable[str] = ()) -> "Needed":
        """Return what an approval of a subject needs; `authors` opened or edited it.

        What a program proposes for a person is that person's.
        """
        if subject in {Subject.GATE, Subject.BEST_OF}:
            return Needed(count=self.gate_approvals)
        is_asked = self.plan_by_another and subject in {Subject.PLAN, Subject.AMENDMENT}
        return Needed(authors=tuple(dict.fromkeys(map(person_behind, authors))) if is_asked else ())


class Needed(Wire):
    """What it takes to approve one request: `count` people, one of them none of the `authors`."""

    count: int = 1
    authors: tuple[str, ...] = ()

    def not_by(self, approvers: Iterable[str]) -> tuple[str, ...]:
        """Return whose approval would change nothing: the authors', and that of who approved already."""
        return tuple(dict.fromkeys((*self.authors, *approvers)))

    def missing(self, approvers: Iterable[str]) -> str:
        """Return what is missing, as people read it; empty where these people are enough."""
        people = tuple(dict.fromkeys(approvers))
        named = ", ".join(people)
        if self.authors and not people:
            return f"somebody else than {' or '.join(self.authors)} must approve it"
        if len(people) < self.count:
            return f"{len(people)} of {self.count} approvals" + (f", by {named}" if people else "")
        if self.authors and set(people) <= set(self.authors):
            return f"{named} opened or edited it: somebody else must approve it, too"
        return ""


class ApprovalGiven(EventBody):
    """A person approved a request that needs more people; it stays open, and nothing starts yet."""

    kind: Literal["approval_given"] = "approval_given"
    request_id: str
    content_hash: str
    by: str
    missing: str


Given = dict[str, tuple[str, ...]]
"""Who approved what is still open, by request."""


def with_given(given: Given, event: ApprovalGiven) -> Given:
    """Return who approved, with one more person."""
    before = given.get(event.request_id, ())
    return {**given, event.request_id: tuple(dict.fromkeys((*before, event.by)))}


def counted(
    needed: Needed, given: Given, request: ApprovalRequest, outcome: Outcome
) -> Decided | None:
    """Return the events of an approval that is not enough yet; None for one that decides.

    A rejection decides at once, whoever approved before.
    """
    if outcome.choice is Choice.REJECT:
        return None
    before = given.get(request.request_id, ())
    missing = needed.missing((*before, outcome.by))
    if not missing:
        return None
    answer = Answer(message=f"{request.request_id}: {missing}", data={"missing": missing})
    if outcome.by in before:
        return Decided(answer=answer)
    approved = ApprovalGiven(
        request_id=request.request_id,
        content_hash=request.content_hash,
        by=outcome.by,
        missing=missing,
    )
    return Decided((approved,), answer)


def with_others(outcome: Outcome, given: Given) -> Outcome:
    """Return an outcome with those who approved before."""
    others = tuple(name for name in given.get(outcome.request_id, ()) if name != outcome.by)
    is_approved = outcome.choice is Choice.APPROVE
    return outcome.model_copy(update={"others": others}) if others and is_approved else outcome
