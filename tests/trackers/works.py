"""Threads of issues in memory: each proposes plans, is decided, completes, and has a pull request that ends."""

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.command import Answer
from domain.core.decisions import answer_of
from domain.core.errors import WrongStateError
from domain.core.event import EventBody, Headline
from domain.core.workspaces import RepositoryFacts
from domain.forges.pull_requests import PullRequest
from domain.plans.plan import Plan, PlannedTask
from domain.plans.templates.template import PlanTemplate
from domain.threads.events import PlanDecided, PlanProposed, ThreadOpened
from domain.threads.publishing.events import PullRequestFinished, PullRequestOpened
from domain.threads.rules import fold
from domain.threads.state import ThreadState

_URL = "https://github.com/acme/app/pull/"


class Works:
    """What entries become: the journal of their threads, and the door to them."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[EventBody]] = {}
        self.statuses: dict[str, str] = {}
        self.decided: Counter[tuple[str, str]] = Counter()
        """How often each plan was decided, by its thread and request."""
        self.seen: set[str] = set()
        """The commands that decided one."""

    def state(self, entry: str) -> ThreadState:
        return fold(ThreadState(), self.bodies[entry])

    def read(self, entry: str, after: int, limit: int) -> list[Any]:
        kept = self.bodies.get(entry, [])[after : after + limit]
        return [
            SimpleNamespace(position=n, event=SimpleNamespace(body=body))
            for n, body in enumerate(kept, after + 1)
        ]

    def headlines(self, entries: list[str]) -> list[Headline]:
        known = [entry for entry in entries if entry in self.statuses]
        return [Headline(stream=e, kind="thread", status=self.statuses[e]) for e in known]

    def start(self, entry: str) -> None:
        facts = RepositoryFacts(root="/repo", head="c")
        opened = ThreadOpened(
            goal="g", agent="fake", facts=facts, template=PlanTemplate(name="t"), branch="treadle/g"
        )
        self.bodies[entry], self.statuses[entry] = [opened], "running"

    def decide(self, entry: str, verdict: Any) -> Answer:
        """Decide as a thread does: a repeated command is answered as before, and another one finds nothing open."""
        state = self.state(entry)
        known = state.outcomes.get(verdict.request_id)
        if known is not None and verdict.command_id in self.seen:
            return answer_of(known)
        request = state.requests.get(verdict.request_id)
        if request is None or request.content_hash != verdict.content_hash:
            raise WrongStateError(f"no open request {verdict.request_id!r}")
        choice = Choice.APPROVE if verdict.door == "approve" else Choice.REJECT
        asked = {"request_id": verdict.request_id, "content_hash": verdict.content_hash}
        outcome = Outcome(**asked, choice=choice, by=verdict.by)
        self.decided[entry, verdict.request_id] += 1
        self.bodies[entry].append(PlanDecided(revision=len(state.plans), outcome=outcome))
        self.statuses[entry] = "running"
        self.seen.add(verdict.command_id)
        return answer_of(outcome)

    def go_on(self, entry: str, random: Random) -> None:
        """Take the next step of a thread, where it does not wait for a person or has ended."""
        state, bodies = self.state(entry), self.bodies[entry]
        is_approved = any(o.choice is Choice.APPROVE for o in state.outcomes.values())
        if state.requests or state.publication.finished is not None:
            return
        if not is_approved:
            bodies.append(_plan(len(state.plans) + 1))
            self.statuses[entry] = "waiting"
        elif self.statuses[entry] != "completed":
            self.statuses[entry] = "completed"
        elif state.publication.pull_request is None:
            pull = PullRequest(number=7, url=f"{_URL}7")
            bodies.append(PullRequestOpened(pull_request=pull))
        else:
            is_merged = random.random() < 0.7
            commit = "e" * 40 if is_merged else ""
            bodies.append(PullRequestFinished(number=7, is_merged=is_merged, merge_commit=commit))


def _plan(revision: int) -> PlanProposed:
    plan = Plan(goal="g", summary=f"try {revision}", tasks=(PlannedTask(id="t1", title="one"),))
    request = ApprovalRequest(
        request_id=f"plan-{revision}",
        subject=Subject.PLAN,
        title="g",
        content_hash=plan.content_hash,
    )
    return PlanProposed(revision=revision, session_id="s", plan=plan, request=request)
