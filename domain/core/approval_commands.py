"""Decisions of people on what waits for them."""

import json
from typing import Annotated

from pydantic import Field

from domain.core.autonomy import Autonomy
from domain.core.command import MAX_NAME, Coded, Verdict
from domain.core.comments import MAX_COMMENTS, LineComment

ANY = "any"
"""What a code names in place of selections that are open; no list of selections reads like it."""

OPTIONS = ("OPTION", "OPTION")
"""What a person replaces in a line for several options."""


class Approve(Verdict):
    """Approve what a request shows.

    A plan whose dependencies were fixed, or that wants less than its template, is approved only with
    `is_acknowledged`: the person has seen each warning. With the plan of a thread
    they may say how freely it runs; the code binds that, so a copy gets no freer run.
    """

    door = "approve"

    is_acknowledged: bool = False
    autonomy: Autonomy | None = None

    @property
    def choice(self) -> str:
        """The approval, with the autonomy that was chosen."""
        return f"{self.door}/{self.autonomy}" if self.autonomy else self.door


class Reject(Verdict):
    """Reject what a request shows; the agent revises by the feedback, and by comments on its lines."""

    door = "reject"

    comments: tuple[LineComment, ...] = Field(default=(), max_length=MAX_COMMENTS)


class Decide(Coded):
    """Answer a decision of the plan with the labels of one or more of its options.

    `content_hash` is that of the decision as it was shown. Where several may be chosen, a line for
    Temporal's command line leaves open which: its code binds the decision, not the selections.
    """

    door = "decide"

    decision_id: str = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)
    selections: tuple[Annotated[str, Field(max_length=MAX_NAME)], ...] = Field(max_length=100)
    is_open: bool = False

    @property
    def request(self) -> str:
        """The decision's id, marked as one."""
        return f"decision/{self.decision_id}"

    @property
    def choice(self) -> str:
        """The selections, in order; any of them where that is open."""
        return ANY if self.is_open else json.dumps(self.selections)

    @property
    def content(self) -> str:
        """The hash of the decision as it was shown."""
        return self.content_hash
