"""A house whose forge is a double, reached by the real adapter: what is published there is watched there."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from adapters.forge.forges import Forges
from domain.core.ids import CommandId, ThreadId, publication_id
from domain.forges.pull_requests import Look, PullRequestId
from domain.publications.commands import DismissPullRequestItem, LookAtPullRequest, MergePullRequest
from domain.publications.items import Item
from domain.threads import patches
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.publication import PushedBranch
from tests.forge import double as doubles
from tests.forge.adapters import forges_of
from tests.forge.double import Double
from tests.forge.world import Pull
from tests.publishing_fakes import PaperRemotes
from tests.workflows.conftest import House
from tests.workflows.test_publishing import completed, publish


class CountedForges:
    """The real adapter, of which each look is counted."""

    def __init__(self, forges: Forges) -> None:
        self._forges = forges
        self._changed = asyncio.Condition()
        self.looks = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._forges, name)

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        """Look, and say so."""
        try:
            return await self._forges.look(of, tags)
        finally:
            self.looks += 1
            async with self._changed:
                self._changed.notify_all()

    async def looked(self, number: int) -> None:
        """Wait until there were so many looks."""
        async with asyncio.timeout(60), self._changed:
            await self._changed.wait_for(lambda: self.looks >= number)


class DoubleRemotes(PaperRemotes):
    """A remote on a double: what is pushed is a branch there."""

    def __init__(self, double: Double) -> None:
        super().__init__()
        self._double = double
        self.project = double.project_id

    async def push(self, call: PushCall) -> PushedBranch:
        """Push, as the account that has the token."""
        pushed = await super().push(call)
        self._double.push_as(self._double.path, call.branch, pushed.commit, "treadle-bot")
        return pushed


def on(double: Double) -> Callable[[House], None]:
    """Return what puts a house before a double."""
    double.push_as(double.path, "develop")

    def prepare(house: House) -> None:
        forge: Any = CountedForges(forges_of(double))
        house.remotes, house.forge = DoubleRemotes(double), forge

    return prepare


class Published:
    """A pull request that a thread opened on a double, and the workflow that watches it."""

    def __init__(self, house: House, double: Double, thread: str, number: int) -> None:
        self.house = house
        self.double = double
        self.thread = thread
        self.watch = publication_id(ThreadId(thread), number)
        self.pull: Pull = double.pulls[double.path, number]
        self._commands = 0

    @property
    def forge(self) -> CountedForges:
        """What looks at the double."""
        forge: Any = self.house.forge
        return forge

    async def look(self, times: int = 1) -> None:
        """Have it looked at, one time after the other."""
        for _ in range(times):
            before = self.forge.looks
            self._commands += 1
            command_id = CommandId(f"look-{self._commands}")
            await self.house.send(self.watch, LookAtPullRequest(command_id=command_id, by="ann"))
            await self.forge.looked(before + 1)

    async def merge(self, commit: str = "") -> None:
        """Say as a person that it be merged, as it was shown."""
        self._commands += 1
        command_id = CommandId(f"merge-{self._commands}")
        merge = MergePullRequest(command_id=command_id, by="ann", commit=commit or self.pull.commit)
        await self.house.send(self.watch, merge)

    async def dismiss(self, item: Item) -> None:
        """Dismiss a card."""
        self._commands += 1
        command_id = CommandId(f"dismiss-{self._commands}")
        dismiss = DismissPullRequestItem(command_id=command_id, by="ann", item_id=item.item_id)
        await self.house.send(self.watch, dismiss)

    @property
    def items(self) -> list[Item]:
        """All cards that there ever were, oldest first."""
        return [
            event.body.item
            for event in self.house.journal.events
            if event.stream == self.watch and event.body.kind == "pull_request_item_opened"
        ]

    async def card(self, number: int = 1) -> Item:
        """Wait for the n-th card."""
        seen = await self.house.seen(self.watch, "pull_request_item_opened", number=number)
        return seen.body.item


async def published(house: House, double: Double) -> Published:
    """Publish a thread's branch, and wait until its pull request was looked at."""
    thread = await completed(house, patches=patches.ALL)
    await house.send(thread, publish())
    opened = await house.seen(thread, "pull_request_opened")
    it = Published(house, double, thread, opened.body.pull_request.number)
    await house.seen(it.watch, "pull_request_seen")
    return it


class Trouble:
    """Something that happens to a forge, and how it ends."""

    def __init__(self, double: Double, monkeypatch: pytest.MonkeyPatch) -> None:
        self._project = double.projects[double.path]
        self._patch = monkeypatch

    def expired(self) -> None:
        self._patch.setattr(doubles, "TOKEN", "another")

    def moved(self) -> None:
        self._project.moved_to = "octo/elsewhere"

    def gone(self) -> None:
        self._project.is_gone = True

    def end(self) -> None:
        self._patch.undo()
        self._project.moved_to, self._project.is_gone = "", False
