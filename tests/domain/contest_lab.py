"""A thread whose task is done by several agents at once, driven by its rules alone."""

from typing import Any

from domain.core.approval_commands import Approve
from domain.core.approvals import Outcome
from domain.core.command import Answer
from domain.core.ids import RequestId, TaskId
from domain.core.progress import ReadyGate, TaskProgress
from domain.plans.best_of import candidate_id
from domain.tasks.events import TaskEnd
from domain.threads import rules
from domain.threads.commands import EndTask, NoteProgress
from domain.threads.contests.commands import Take
from domain.threads.contests.effects import TellCandidate
from domain.threads.contests.state import Contest
from domain.threads.effects import AbortTask, RunTask
from domain.threads.patches import ALL
from domain.threads.running.state import ThreadTask
from tests.domain.running_plan import RunningPlan, task

AGENTS = ("claude", "codex", "treadle:qwen3:8b")
APP = TaskId("app")


class ContestLab(RunningPlan):
    """A plan whose task `app` is done by several agents, and a task that needs it."""

    def __init__(self, *agents: str, ends: str = "all", slots: int = 9, **more: Any) -> None:
        self.orders: dict[str, int] = {}
        best_of = {"agents": list(agents or AGENTS), "ends": ends}
        own = {"best_of": best_of, **more.pop("task", {})}
        super().__init__(task("app", **own), task("docs", "app"), slots=slots, patches=ALL, **more)

    def decide(self, request: str, *args: Any, **more: Any) -> Answer:
        """Decide on a request as it is shown; warnings of plans are read."""
        verdict = self.verdict(request, *args, **more)
        read = {"is_acknowledged": True} if isinstance(verdict, Approve) else {}
        return self.send(verdict.model_copy(update=read))

    # --- what candidates do

    def entry(self, letter: str) -> ThreadTask:
        """Return a candidate by its letter."""
        return self.state.tasks[self.name(letter)]

    def name(self, letter: str) -> TaskId:
        """Return a candidate's id."""
        return candidate_id(APP, "abcdefghi".index(letter))

    def tell(self, letter: str, gate: ReadyGate | None = None, **more: Any) -> None:
        """Have a candidate tell how far it is."""
        name = self.name(letter)
        self.orders[letter] = self.orders.get(letter, 0) + 1
        run = self.entry(letter).run
        told = TaskProgress(
            task_id=name, run=run, order=self.orders[letter], gate=gate, doing="x", **more
        )
        self.send(NoteProgress(progress=told))

    def passes(
        self,
        letter: str,
        attempt: int = 1,
        *,
        by_policy: bool = False,
        files: tuple[str, ...] = (),
    ) -> None:
        """Have the work of a candidate pass its verification."""
        run = self.entry(letter).run
        gate = ReadyGate(
            request_id=RequestId(f"{self.name(letter)}/gate-{run}-{attempt}"),
            content_hash=f"{letter}{run}{attempt}" * 8,
            attempt=attempt,
            passes=by_policy,
        )
        commit = (f"{letter}{run}{attempt}" * 20)[:40]
        self.tell(
            letter, gate, commit=commit, tree=commit, files=files or (f"{letter}.py",), insertions=3
        )

    def works(self, letter: str) -> None:
        """Have a candidate be at work again."""
        self.tell(letter)

    def told(self, letter: str) -> Outcome | None:
        """Return what a candidate is to be told of its work."""
        found = [
            e
            for e in rules.effects(self.state)
            if isinstance(e, TellCandidate) and e.task_id == self.name(letter)
        ]
        return found[0].decision.outcome if found else None

    def accepted(self, letter: str) -> None:
        """Have a candidate that was told that it is taken end, and be merged."""
        self.ends_accepted(letter)
        self.settle(self.name(letter))

    def ends_accepted(self, letter: str) -> None:
        """Have a candidate report that its work was accepted."""
        entry = self.entry(letter)
        commit = entry.progress.commit if entry.progress else None
        self.send(
            EndTask(task_id=self.name(letter), run=entry.run, end=TaskEnd.ACCEPTED, commit=commit)
        )

    def stopped(self, letter: str) -> None:
        """Have a candidate that is told to abort end."""
        name = self.name(letter)
        self.end(name, TaskEnd.CANCELLED)
        self.settle(name)

    # --- what people see and do

    @property
    def contest(self) -> Contest:
        """Where the contest stands."""
        return self.state.contests.get(APP, Contest())

    @property
    def asked(self) -> str | None:
        """The request that is open, if one is."""
        request = self.contest.request
        return request.request_id if request else None

    def take(self, letter: str, **more: Any) -> Answer:
        """Take the work of a candidate as it is shown."""
        return self.send(self.taking(letter, **more))

    def taking(self, letter: str, request: str | None = None, by: str = "ada") -> Take:
        """Return the command that takes a candidate as it is shown now."""
        name = request or self.asked
        assert name is not None
        asked = self.state.requests[name]
        return Take(
            request_id=asked.request_id,
            content_hash=asked.content_hash,
            candidate=self.name(letter),
            by=by,
        )

    @property
    def candidates(self) -> dict[str, str]:
        """Where the candidates stand, by their letters."""
        found = self.state.tasks.candidates_of(APP)
        return {name[-1]: entry.status.value for name, entry in found}

    @property
    def running(self) -> set[str]:
        """The runs that must be under way."""
        return {e.task_id for e in rules.effects(self.state) if isinstance(e, RunTask)}

    @property
    def aborting(self) -> set[str]:
        """The letters of those that are told to abort."""
        return {e.task_id[-1] for e in rules.effects(self.state) if isinstance(e, AbortTask)}
