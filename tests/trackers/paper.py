"""A tracker in memory, behind the port of the real ones."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from domain.core.errors import UnknownAgentError
from domain.core.ids import ThreadId
from domain.forges.errors import ForgeAccessError, ForgeError, ForgeGoneError
from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery, TrackerKind
from domain.forges.markers import bears, marked
from domain.forges.projects import Account
from domain.threads import patches
from domain.threads.inputs import ThreadInput
from domain.trackers.goal import goal_of, link_of
from domain.trackers.ports import ConfiguredTracker
from domain.trackers.source import TrackerSource

ANN = Account(id="11", login="ann")
BOT = Account(id="99", login="treadle-bot")
STRANGER = Account(id="66", login="mallory")
SOURCE = TrackerSource(
    name="work",
    kind=TrackerKind.GITHUB,
    host="github.com",
    project="acme/app",
    label="treadle",
    repository="/repo",
    approvers={"id:11": "ann", "ben": "ben"},
)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@dataclass
class PaperTracker:
    """Issues as people leave them; `failures` are raised, one for each call to come, by its name."""

    issues: dict[str, Issue] = field(default_factory=dict)
    said: dict[str, list[IssueComment]] = field(default_factory=dict)
    labellers: dict[str, Account] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set[str])
    locked: set[str] = field(default_factory=set[str])
    refusals: int = 0
    """How many comments were refused, as their issue is locked."""
    failures: dict[str, list[ForgeError]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    _number: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    # --- what people do

    def open(self, issue_id: str, *, label: str = "treadle", **more: object) -> Issue:
        known = {
            "ref": IssueId(tracker="work", id=issue_id, key=f"acme/app#{issue_id}"),
            "url": f"https://github.com/acme/app/issues/{issue_id}",
            "title": "The links are broken",
            "body": "Fix them.",
            "author": ANN,
            "author_is_member": True,
            "labels": frozenset({label}),
            "created_at": NOON,
            "updated_at": NOON,
        }
        return self.change(Issue.model_validate(known | more))

    def change(self, issue: Issue, **changes: object) -> Issue:
        self._number += 1
        moved = {"updated_at": NOON + timedelta(seconds=self._number), **changes}
        changed = self.issues[issue.ref.id] = issue.model_copy(update=moved)
        return changed

    def write(
        self, issue_id: str, body: str, author: Account = ANN, *, is_edited: bool = False
    ) -> IssueComment:
        self._number += 1
        at = NOON + timedelta(seconds=self._number)
        edited = at + timedelta(seconds=1) if is_edited else None
        made = IssueComment(
            id=f"c{self._number}", author=author, body=body, created_at=at, edited_at=edited
        )
        self.said.setdefault(issue_id, []).append(made)
        return made

    def texts(self, issue_id: str) -> list[str]:
        """What we commented."""
        return [each.body for each in self.said.get(issue_id, []) if each.author == BOT]

    async def told(self, issue_id: str, words: str) -> str:
        """Wait until we commented these words."""
        async with self._changed:
            while True:
                for text in self.texts(issue_id):
                    if words in text:
                        return text
                await self._changed.wait()

    async def looked(self, times: int) -> None:
        """Wait until it was looked at so often from now."""
        wanted = self.calls.count("changed_issues") + times
        async with self._changed:
            await self._changed.wait_for(lambda: self.calls.count("changed_issues") >= wanted)

    # --- the port

    async def _call(self, name: str) -> None:
        self.calls.append(name)
        async with self._changed:
            self._changed.notify_all()
        if self.failures.get(name):
            raise self.failures[name].pop(0)

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        await self._call("changed_issues")
        found = [
            each
            for each in sorted(self.issues.values(), key=lambda each: each.updated_at)
            if each.updated_at.isoformat() >= cursor and query.labels <= each.labels
        ]
        last = found[-1].updated_at.isoformat() if found else cursor
        return IssuePage(issues=tuple(found), cursor=last)

    async def issue(self, ref: IssueId) -> Issue:
        await self._call("issue")
        if ref.id in self.gone:
            raise ForgeGoneError("it is not there")
        return self.issues[ref.id]

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        await self._call("labelled_by")
        return self.labellers.get(ref.id)

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        await self._call("comments")
        return tuple(self.said.get(ref.id, ()))

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        await self._call("comment")
        if ref.id in self.locked:
            self.refusals += 1
            raise ForgeAccessError("the issue is locked")
        said = self.said.setdefault(ref.id, [])
        for n, known in enumerate(said):
            if bears(known.body, key):
                said[n] = known.model_copy(update={"body": marked(text, key)})
                return known.id
        made = self.write(ref.id, marked(text, key), BOT)
        async with self._changed:
            self._changed.notify_all()
        if self.failures.get("commented"):
            raise self.failures["commented"].pop(0)  # it was taken, and the answer is lost
        return made.id

    async def close(self, ref: IssueId) -> None:
        await self._call("close")
        self.closed.append(ref.id)


@dataclass
class PaperTrackers:
    """The one tracker of the settings."""

    tracker: PaperTracker = field(default_factory=PaperTracker)
    source: TrackerSource = SOURCE
    agent: str = "fake"

    def names(self) -> tuple[str, ...]:
        return (self.source.name,)

    def find(self, name: str) -> ConfiguredTracker | None:
        return ConfiguredTracker(self.source, self.tracker) if name == self.source.name else None

    def prepare(self, source: TrackerSource, issue: Issue, entry_id: str) -> ThreadInput:
        if not self.agent:
            raise UnknownAgentError("there is no agent")
        return ThreadInput(
            thread_id=ThreadId(entry_id),
            goal=goal_of(issue),
            repository=source.repository,
            agent=self.agent,
            opened_by=f"tracker {source.name}",
            issue=link_of(issue),
            patches=patches.ALL,
        )
