"""One watched pull request for tests of its rules, and how its parts are made."""

from datetime import UTC, datetime

from domain.core.wire import Wire
from domain.forges.policy import PullRequestPolicy
from domain.forges.projects import Account, ForgeProject
from domain.forges.pull_requests import (
    Check,
    CheckState,
    Look,
    PullRequestId,
    PullRequestView,
    ReviewComment,
    ReviewThread,
)
from domain.publications import commands
from domain.publications.events import (
    PullRequestItemOpened,
    PullRequestWatched,
)
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import ItemKind
from domain.publications.rules import PUBLICATION_RULES
from domain.publications.state import PublicationState
from domain.publications.views import watched

NOW = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
OF = PullRequestId(project=ForgeProject(host="git.example.org", owner="o", name="r"), number=7)
BOT, ANN = Account(id="1", login="treadle"), Account(id="2", login="ann")
HEAD = "c" * 40


class Life:
    """One pull request, with all events so far."""

    def __init__(self, **policy: object) -> None:
        self.state, self.events, self.now = PublicationState(), [], NOW
        begun = PullRequestWatched(of=OF, commit=HEAD, policy=PullRequestPolicy(**policy))
        self._record((begun,))

    def _record(self, events) -> None:
        self.state = PUBLICATION_RULES.fold(self.state, events)
        self.events += events

    def take(self, command: Wire) -> str:
        decided = PUBLICATION_RULES.decide(self.state, command, self.now)
        self._record(decided.events)
        return decided.answer.message

    def look(self, view: PullRequestView | None, receipt: HeadReceipt | None = None) -> None:
        self.take(commands.NoteLook(look=Look(view=view), receipt=receipt))

    @property
    def receipt(self) -> tuple[str, bool] | None:
        """The commit that the receipt is shown for, and whether it is void."""
        shown = watched("w", self.state)
        receipt = shown.receipt if shown else None
        return (receipt.commit, receipt.is_void) if receipt else None

    def opened(self, kind: ItemKind) -> list:
        found = (e.item for e in self.events if isinstance(e, PullRequestItemOpened))
        return [item for item in found if item.kind is kind]

    @property
    def open(self) -> list[ItemKind]:
        return [item.kind for item in self.state.items.values()]

    @property
    def effects(self) -> list[type]:
        return [type(effect) for effect in PUBLICATION_RULES.effects(self.state)]


def view(**more: object) -> PullRequestView:
    known = {"number": 7, "url": "u", "state": "open", "head": "treadle/x", "base": "main"}
    return PullRequestView(**{**known, "head_commit": HEAD, "author": BOT, **more})


def check(state: CheckState, number: int = 1) -> Check:
    return Check(id=str(number), name="tests", state=state)


def comment(name: str = "a", by: Account = ANN, **more: object) -> ReviewComment:
    return ReviewComment(id=name, author=by, body=more.pop("body", "why?"), created_at=NOW, **more)


def thread(*comments: ReviewComment, **more: object) -> ReviewThread:
    return ReviewThread(id="t1", path="app.py", line=3, comments=comments, **more)
