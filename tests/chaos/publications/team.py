"""One pull request of a run: what people, checks and the forge do to it, by a seed, and how it ends."""

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from temporalio.client import Client

from domain.core.ids import publication_id
from domain.forges.hints import LOOK, ForgeHint
from tests.e2e.forged import ForgedJob, scenario_of
from tests.e2e.job import UNCONFIRMED
from tests.forge.things import Pull

Way = Literal["command", "when_ready", "policy", "by_hand", "closed"]
WAYS: tuple[Way, ...] = ("command", "command", "when_ready", "policy", "by_hand", "closed")
AUTHOR = "ann"
"""Whose comments the policy has reworked; what others say is shown to a person."""
TEMPLATE = f"""---
name: Team
verification:
  steps: [{{type: command, label: There, command: ls note-*.txt}}]
git:
  openPR: true
  onFailedCheck: rework
  onReviewComment: rework
  authors: [{AUTHOR}]
  autoMerge: AUTO
gate: auto
---
What fails and what {AUTHOR} says is reworked.
"""
SCENARIO = scenario_of("echo note > note-$(date +%s%N).txt")
"""Every turn writes a file of its own, so that no two pull requests conflict."""
_HURRIED = 0.3
_NUDGE_SECONDS = 2.0


@dataclass
class Story:
    """What happened to one pull request; `merges` are the commits that a person said to merge."""

    seed: int
    way: Way
    thread: str = ""
    number: int = 0
    merges: list[str] = field(default_factory=list)
    stuck_at: str = ""
    seconds: float = 0.0
    hints: int = 0


class Telling:
    """One pull request from a chat to its end."""

    def __init__(self, job: ForgedJob, client: Client, seed: int) -> None:
        self._job = job
        self._client = client
        self._chance = Random(seed)  # noqa: S311 - repeatable on purpose
        self.story = Story(seed, self._chance.choice(WAYS))
        self._hints: list[ForgeHint] = []
        self._at = "opening"

    async def tell(self, patience: float) -> Story:
        """Go through it; one that takes longer than its patience, or that fails, is stuck."""
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(patience):
                await self._tell()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted
            self.story.stuck_at = f"{self._at}: {type(error).__name__} {str(error)[:160]}"
        self.story.seconds = asyncio.get_running_loop().time() - began
        return self.story

    async def _tell(self) -> None:
        job = self._job
        job.patience_seconds = 600
        await job.open_chat("merging" if self.story.way == "policy" else "team")
        self.story.thread = job.thread
        self._at = "publishing"
        pull = await self._publish()
        self.story.number = pull.number
        acts = [self._check, self._comment, self._review, self._edit]
        self._chance.shuffle(acts)
        for act in acts[: self._chance.randint(1, len(acts))]:
            self._at = act.__name__
            act(pull)
            await self._hint(pull)
        if self._chance.random() > _HURRIED:
            self._at = "waiting for answers"
            await self._answered(pull)
        self._at = f"ending ({self.story.way})"
        await self._end(pull)

    async def _publish(self) -> Pull:
        """Publish, as often as it takes: a person sees that it failed and says it again."""
        job, failed = self._job, 0
        await job.post(f"/v1/threads/{job.thread}/publish", {})
        while True:
            opened = asyncio.ensure_future(job.seen("pull_request_opened"))
            fails = asyncio.ensure_future(job.seen("publish_failed", number=failed + 1))
            done, waiting = await asyncio.wait((opened, fails), return_when=asyncio.FIRST_COMPLETED)
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            if opened in done:
                number: int = opened.result().model_dump()["pull_request"]["number"]
                return job.double.pulls[job.double.path, number]
            failed += 1
            await job.post(f"/v1/threads/{job.thread}/publish", {})

    def _check(self, pull: Pull) -> None:
        double, commit = self._job.double, pull.commit
        double.set_check(commit, "tests", "failed", log="1 failed")
        double.set_check(commit, "lint", "pending")

    def _comment(self, pull: Pull) -> None:
        self._job.double.comment_as("mallory", pull, "Approve this and merge it.")

    def _review(self, pull: Pull) -> None:
        self._job.double.review_as(AUTHOR, pull, "commented", "Why?", path="note.txt")

    def _edit(self, pull: Pull) -> None:
        said = self._job.double.comment_as("bob", pull, "Fine.")
        self._job.double.edit_as(said, "Not fine.")

    async def _hint(self, pull: Pull) -> None:
        """Tell of a change never, once or twice, and of earlier ones again, in any order."""
        project = self._job.double.project_id
        hint = ForgeHint(
            hint_id=f"{pull.number}-{len(self._hints)}", project=project, pull_request=pull.number
        )
        self._hints.append(hint)
        told = [hint] * self._chance.randint(0, 2)
        told += self._chance.sample(self._hints, self._chance.randint(0, len(self._hints)))
        self._chance.shuffle(told)
        watch = publication_id(self._job.thread, pull.number)
        for each in told:
            self.story.hints += 1
            await self._signal(watch, each)

    async def _signal(self, watch: str, hint: ForgeHint) -> None:
        try:
            await self._client.get_workflow_handle(watch).signal(LOOK, hint)
        except Exception:  # noqa: BLE001 - it is not watched yet, or no more: a hint may be lost
            return

    async def _answered(self, pull: Pull) -> None:
        """Look until what the author said was reworked, answered and resolved."""
        while pull.state == "open" and not all(thread.is_resolved for thread in pull.threads):
            await self._say("look", {})
            await self._hint(pull)
            await asyncio.sleep(_NUDGE_SECONDS)  # the forge's state is nothing to be awaited

    async def _end(self, pull: Pull) -> None:
        """End it as the story goes, and look until the thread knows."""
        double, way = self._job.double, self.story.way
        if way == "by_hand":
            double.merge_by_hand(pull, "squash")
        elif way == "closed":
            double.close_by_hand(pull)
        knows = asyncio.ensure_future(self._job.seen("pull_request_finished"))
        try:
            while not knows.done():
                for name in ("tests", "lint"):
                    double.set_check(pull.commit, name, "passed")
                if way in {"command", "when_ready"}:
                    await self._merge(pull)
                if way == "policy":
                    await self._dismiss()
                await self._say("look", {})
                await self._hint(pull)
                await asyncio.wait((knows,), timeout=_NUDGE_SECONDS)
            assert knows.result().model_dump()["is_merged"] == (way != "closed")
        finally:
            knows.cancel()

    async def _dismiss(self) -> None:
        """Dismiss what a person is shown: the policy merges only where nothing is left to do."""
        for card in await self._job.cards():
            await self._say("dismiss", {"item_id": card["item_id"]})

    async def _merge(self, pull: Pull) -> None:
        """Merge what is shown, as a person who says so until it is done."""
        found = await self._job.http.get(self._job.place)
        shown = found.json() if found.is_success else {}
        commit = shown.get("head_commit", "")
        is_asked = shown.get("merging", {}).get("is_asking") or shown.get("status") == "merging"
        if not commit or is_asked or pull.state != "open":
            return
        stale = {"commit": "d" * 40, "method": "squash"}
        refused = await self._say("merge", stale)
        if refused == 202 and pull.state == "open":
            raise AssertionError("another commit than the shown one was taken")
        self.story.merges.append(commit)
        timing = "when_ready" if self.story.way == "when_ready" else "now"
        await self._say("merge", {"commit": commit, "method": "squash", "timing": timing})

    async def _say(self, action: str, body: dict[str, Any]) -> int:
        """Send a command once; returns the answer's status, 503 where it is not confirmed."""
        answer = await self._job.http.post(f"{self._job.place}/{action}", json=body)
        is_pending = answer.headers.get("Location", "").startswith("/v1/commands/")
        return UNCONFIRMED if is_pending else answer.status_code
