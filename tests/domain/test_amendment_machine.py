"""Random plans, amendments and ends of tasks against a dumb oracle."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.core.approval_commands import Approve, Reject
from domain.core.errors import TreadleError
from domain.core.ids import TaskId
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Retry
from domain.threads.planning.commands import Amend
from domain.threads.rules import evolve
from domain.threads.state import ThreadState
from tests.domain.amendment_machine import Paper
from tests.domain.running_plan import THREAD, RunningPlan, abort, add, modify, remove, reorder, task
from tests.hypothesis_profiles import effort

NAMES = [f"t{n}" for n in range(7)]
name = st.sampled_from(NAMES)
COUNT = st.sampled_from([1, 1, 1, 2, 3])


@st.composite
def changes(draw: st.DrawFn, waiting: list[str], others: list[str]) -> list[dict[str, Any]]:
    """Changes most of which are possible: new tasks need old ones, and what waits is changed."""
    found: list[dict[str, Any]] = []
    for _ in range(draw(COUNT)):
        one = draw(st.sampled_from([*waiting, *waiting, *waiting, *others]))
        needs = draw(st.lists(st.sampled_from([*waiting, *others]), max_size=2, unique=True))
        kind = draw(
            st.sampled_from(["add", "add", "modify", "title", "remove", "abort", "reorder"])
        )
        match kind:
            case "add":
                found.append(add(draw(name), *needs))
            case "modify":
                found.append(modify(one, depends_on=needs))
            case "title":
                found.append(modify(one, title="another"))
            case "remove":
                found.append(remove(one))
            case "abort":
                found.append(abort(one))
            case _:
                found.append(reorder(one))
    return found


class AmendmentMachine(RuleBasedStateMachine):
    """A plan that runs, several amendments that wait at the same time, and tasks that end."""

    @initialize(count=st.integers(2, 4), shape=st.lists(st.booleans(), min_size=12, max_size=12))
    def open(self, count: int, shape: list[bool]) -> None:
        tasks = {
            NAMES[n]: [NAMES[m] for m in range(n) if shape[(3 * n + m) % len(shape)]]
            for n in range(count)
        }
        self.plan = RunningPlan(*(task(n, *d) for n, d in tasks.items()))
        self.paper = Paper({n: ("pending", d) for n, d in tasks.items()})
        self.paper.start()
        self.waiting: dict[str, list[dict[str, Any]]] = {}
        self.bases: dict[str, int] = {}
        self.runs: list[str] = []

    @property
    def is_live(self) -> bool:
        return self.plan.state.plan_status.is_live

    def _sent(self, command: Any) -> bool:
        before = self.plan.state
        try:
            self.plan.send(command)
        except TreadleError:
            assert self.plan.state == before
            return False
        return True

    @precondition(lambda self: self.is_live and len(self.waiting) < 5)
    @rule(data=st.data())
    def propose(self, data: st.DataObject) -> None:
        self._propose(data.draw(changes(*self._names())))

    def _names(self) -> tuple[list[str], list[str]]:
        """Return the tasks that may change, and all others."""
        free = {"pending", "blocked", "failed", "cancelled"}
        waiting = [n for n, (status, _) in self.paper.tasks.items() if status in free]
        return waiting, [n for n in self.paper.tasks if n not in waiting] or NAMES[:1]

    def _propose(self, changes: list[dict[str, Any]]) -> None:
        before = set(self.plan.state.requests)
        tasks = self.plan.state.tasks
        asked = Amend(amendment=self.plan.amendment(*changes), by="ada")
        assert self._sent(asked) == self.paper.takes(changes), changes
        assert self.plan.state.tasks == tasks
        for request in set(self.plan.state.requests) - before:
            self.waiting[request] = changes
            self.bases[request] = self.plan.state.amending.version

    @precondition(lambda self: bool(self.waiting))
    @rule(which=st.integers(0, 9), is_approved=st.sampled_from([True, True, False]))
    def decide(self, which: int, is_approved: bool) -> None:
        request = list(self.waiting)[which % len(self.waiting)]
        changes = self.waiting[request]
        base = self.plan.state.amending.open[request].amendment.base_version
        kind = Approve if is_approved else Reject
        verdict = self.plan.verdict(request, kind, "otherwise")
        running = self._running()
        expected = not is_approved or (base == self.paper.version and self.paper.takes(changes))
        assert self._sent(verdict) == expected, (changes, self.plan.statuses)
        if not expected:
            return
        del self.waiting[request]
        if is_approved:
            self.paper.apply(changes)
            self._go_on()
        after = self._running()
        for task_id, entry in running.items():
            now = after[task_id]
            asks = {"is_abort_requested": now.is_abort_requested, "aborted_by": now.aborted_by}
            assert after[task_id] == entry.model_copy(update=asks)
        assert self._sent(verdict)

    def _running(self) -> dict[TaskId, Any]:
        tasks = self.plan.state.tasks.items()
        return {n: entry for n, entry in tasks if entry.status in {"running", "completed"}}

    @precondition(lambda self: self.is_live)
    @rule(which=st.integers(0, 9), how=st.sampled_from([*TaskEnd, TaskEnd.ACCEPTED]))
    def end(self, which: int, how: TaskEnd) -> None:
        names = [n for n, (s, _) in self.paper.tasks.items() if s == "running"]
        names = [n for n in names if n not in self.paper.ending]
        if names:
            ended = names[which % len(names)]
            self.plan.end(ended, how)
            self.paper.ending.add(ended)
            self.runs.append(ended)
            self._drop_lost()

    @precondition(lambda self: bool(self.runs))
    @rule()
    def merge(self) -> None:
        ended = self.runs.pop(0)
        end = self.plan.state.tasks[TaskId(ended)].end
        self.plan.settle(ended)
        self.paper.ending.discard(ended)
        self.paper.aborting.discard(ended)
        words = {"accepted": "completed", "failed": "failed", "cancelled": "cancelled"}
        self.paper.put(ended, words[end or ""])
        self.paper.settle()
        self._go_on()

    @precondition(lambda self: self.is_live)
    @rule(which=name)
    def retry(self, which: str) -> None:
        expected = self.paper.retry(which)
        assert self._sent(Retry(task_id=TaskId(which))) == expected
        self._go_on()

    @rule()
    def crash(self) -> None:
        """Go on with what the next run of a workflow gets."""
        self.plan.state = ThreadState.model_validate_json(self.plan.state.model_dump_json())

    def _go_on(self) -> None:
        self.paper.start()
        if not self.is_live:
            assert self.paper.is_complete
            self.waiting = {}
        self._drop_lost()

    def _drop_lost(self) -> None:
        """Forget requests that were closed: those that can't happen, and all of an older version."""
        for request, changes in list(self.waiting.items()):
            is_current = self.bases[request] == self.paper.version
            if request in self.plan.state.amending.open:
                assert is_current
            else:
                assert not is_current or not self.paper.takes(changes)
                del self.waiting[request]

    @invariant()
    def it_is_as_the_paper_says(self) -> None:
        state = self.plan.state
        assert self.plan.statuses == {n: status for n, (status, _) in self.paper.tasks.items()}
        assert {n: list(e.task.depends_on) for n, e in state.tasks.items()} == {
            n: needs for n, (_, needs) in self.paper.tasks.items()
        }
        asked = {n for n, e in state.tasks.items() if e.is_abort_requested}
        assert asked == self.paper.aborting
        assert state.amending.version == self.paper.version
        assert set(state.amending.open) == set(self.waiting)

    @invariant()
    def a_plan_that_is_done_is_complete(self) -> None:
        assert self.is_live is not self.paper.is_complete

    def teardown(self) -> None:
        if hasattr(self, "plan"):
            again = ThreadState(thread_id=THREAD)
            for event in self.plan.events:
                again = evolve(again, event)
            assert again == self.plan.state
            carried = ThreadState.model_validate_json(again.model_dump_json())
            assert carried == again


TestAmendmentMachine = AmendmentMachine.TestCase
TestAmendmentMachine.settings = effort(60, steps=25)
