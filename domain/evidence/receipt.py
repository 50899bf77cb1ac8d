"""What a receipt says: the predicate of an in-toto statement (docs/how-to/receipts.md has every field).

A published format: a field is never renamed or retyped, and a change of what one means is another version of
`PREDICATE`. All numbers are whole, so that their JSON is the same everywhere.
"""

from enum import StrEnum

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from domain.core.wire import Wire

PREDICATE = "urn:treadle:receipt:v1"
STATEMENT = "https://in-toto.io/Statement/v1"
MAX_STEPS = 200
MAX_APPROVALS = 200
MAX_TEXT = 500
"""Characters of a command or a name; the rest is cut."""


class Told(Wire):
    """Base of what a receipt says; its JSON is in camel case, as in-toto has it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class ProvenPlan(Told):
    """The plan that was carried out: its revision, the hash that its approval was bound to, and its amendments."""

    revision: int
    content_sha256: str = ""
    approved_by: tuple[str, ...] = ()
    approved_at: str = ""
    amendments: int = 0


class Stage(StrEnum):
    """When a step ran: on a task's own commit, or on the tree that its merge made."""

    TASK = "task"
    MERGE = "merge"


class ProvenPicture(Told):
    """A picture that a step left behind: `sha256` is of its bytes, `name` its path in the checkout."""

    name: str
    media_type: str
    size_bytes: int
    sha256: str


class ProvenStep(Told):
    """One verification step as Treadle itself ran it.

    `output_sha256` is of the UTF-8 of its whole output as the journal keeps it, without secrets. `exit_code` is
    that of a command that ended by itself. `git_tree` is that of the clean checkout it ran on, if any.
    """

    task: str
    run: int
    stage: Stage
    attempt: int = 0
    step: str
    label: str = ""
    type: str = ""
    command: str = ""
    git_tree: str = ""
    is_required: bool = True
    is_executed: bool = True
    is_passed: bool = False
    exit_code: int | None = None
    duration_ms: int = 0
    output_sha256: str = ""
    reviewed_by: str = ""
    ended_at: str = ""
    pictures: tuple[ProvenPicture, ...] = Field(
        default=(), exclude_if=lambda pictures: not pictures
    )


class ProvenApproval(Told):
    """A decision: of what, as which hash, by whom and when; a `decider` is person, policy or agent."""

    subject: str
    task: str = ""
    title: str = ""
    choice: str
    decider: str
    by: tuple[str, ...] = ()
    content_sha256: str = ""
    at: str = ""


class ProvenAgent(Told):
    """An agent with a model, and what all its turns in the thread took, as it told."""

    agent: str
    model: str = ""
    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    duration_ms: int = 0


class Receipt(Told):
    """What was proven of a published tree until it was published.

    `is_tree_verified` tells whether a step ran on exactly this tree, and all required ones that did passed.
    `costs_millionths` are millionths of each currency, as agents told, but of `included_turns` on a flat plan.
    `priced_millionths` of a US dollar are what tokens of other turns cost by the list `prices`, and of
    `unknown_cost_turns` neither is known. `left_out` counts steps and approvals
    that were too many.
    """

    thread: str
    title: str = ""
    project: str = ""
    branch: str = ""
    published_at: str = ""
    plan: ProvenPlan | None = None
    is_tree_verified: bool = False
    steps: tuple[ProvenStep, ...] = ()
    approvals: tuple[ProvenApproval, ...] = ()
    agents: tuple[ProvenAgent, ...] = ()
    costs_millionths: dict[str, int] = Field(default_factory=dict)
    priced_millionths: int = Field(default=0, exclude_if=lambda cost: not cost)
    prices: str = Field(default="", exclude_if=lambda prices: not prices)
    included_turns: int = Field(default=0, exclude_if=lambda turns: not turns)
    unknown_cost_turns: int = Field(default=0, exclude_if=lambda turns: not turns)
    left_out: int = 0


class Subject(Told):
    """What a statement is about, by its digests."""

    name: str
    digest: dict[str, str]


class Statement(Told):
    """An in-toto Statement v1 on a tree, and on the commit by which it was published."""

    type_: str = Field(default=STATEMENT, alias="_type")
    subject: tuple[Subject, ...]
    predicate_type: str = PREDICATE
    predicate: Receipt

    @property
    def tree(self) -> str:
        """The tree that it is bound to."""
        return self._digest("gitTree")

    @property
    def commit(self) -> str:
        """The commit by which that was published."""
        return self._digest("gitCommit")

    def _digest(self, kind: str) -> str:
        return next((one.digest[kind] for one in self.subject if kind in one.digest), "")


def statement_of(receipt: Receipt, *, tree: str, commit: str) -> Statement:
    """Return the statement of a receipt: on the tree, which decides, and the commit, which is told."""
    subjects = (
        Subject(name="tree", digest={"gitTree": tree}),
        Subject(name="commit", digest={"gitCommit": commit}),
    )
    return Statement(subject=subjects, predicate=receipt)
