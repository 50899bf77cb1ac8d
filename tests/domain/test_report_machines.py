"""Reports agree with the events: with the states that the same events make, and however they are cut."""

from collections import Counter
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import Usage
from domain.conversations.events import TurnEnded
from domain.core.approvals import Subject
from domain.core.event import EventBody
from domain.reading.report.causes import WaitCause
from domain.reading.report.making import Scope, report_of
from domain.reading.report.projection import StreamFold
from domain.reading.report.tally import Tally
from domain.tasks.conflicts import ConflictStage
from domain.tasks.events import GateDecided, GateOpened, VerificationStepEnded
from domain.threads.events import PlanCompleted, PlanDecided, TaskUpdated
from tests.domain.report_lab import (
    NOW,
    T0,
    answered,
    conversation,
    counted,
    opened,
    outcome,
    proposed,
    request,
    started,
    step,
    turn_began,
    turn_over,
    updated,
)
from tests.domain.test_life_machine import LifeMachine
from tests.domain.test_thread_machine import ThreadMachine
from tests.hypothesis_profiles import effort

ASKED = {
    Subject.PLAN: WaitCause.PLAN,
    Subject.AMENDMENT: WaitCause.AMENDMENT,
    Subject.SUGGESTION: WaitCause.SUGGESTION,
}


def folded(events: list[EventBody]) -> Tally:
    fold = StreamFold()
    for second, body in enumerate(events):
        fold.add(body, T0 + timedelta(seconds=second))
    return fold.end()


class ReportedLife(LifeMachine):
    """Whatever happens to a thread: what waits in the report is what waits in its state."""

    def _journal(self, body: EventBody) -> None:
        super()._journal(body)
        self.__dict__.setdefault("bodies", []).append(body)

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        super().teardown()
        tally, state = folded(self.bodies), self.state
        expected = Counter(ASKED[asked.subject] for asked in state.requests.values())
        expected[WaitCause.DECISION] = len(state.open_decisions)
        conflicts = state.merges.open.values()
        expected[WaitCause.CONFLICT] = sum(
            c.stage is not ConflictStage.RESOLVING for c in conflicts
        )
        assert tally.open_waits == +expected
        plan = [status for (unit, status), n in tally.unfinished.items() if unit == "plan" and n]
        assert bool(plan) == state.plan_status.is_live
        if state.is_stalled:
            assert plan == ["stalled"]
        if state.plan_status.is_live:
            tasks = Counter(str(entry.status) for entry in state.tasks.values())
            counts = {**tally.unfinished, **tally.ends}
            shown = {end: n for (unit, end), n in counts.items() if unit == "task" and n}
            # earlier plans of the thread have ends of their own
            assert all(shown.get(status, 0) >= n for status, n in tasks.items())


class ReportedWork(ThreadMachine):
    """Whatever agents and people do to tasks: every turn, step, end and open gate is counted once."""

    def steer(self, what: str, which: int) -> None:
        """Steer at the end only: that rule is tested where it is from."""
        super().steer(what, which)

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self._compare()
            super().teardown()
            self._compare()

    def _compare(self) -> None:
        streams: dict[str, list[EventBody]] = {}
        for stream, body in self.world.log:
            streams.setdefault(stream, []).append(body)
        total = Tally()
        for events in streams.values():
            total.include(folded(events))
        report = report_of(total, Scope(until=NOW))
        log = [body for _, body in self.world.log]
        assert sum(a.turns for a in report.by_agent) == _number(log, TurnEnded)
        assert sum(s.ran for s in report.steps) == _number(log, VerificationStepEnded)
        assert sum(report.plans.ended.values()) == _number(log, PlanCompleted)
        failed = [b for b in log if isinstance(b, TaskUpdated) and b.new_status == "failed"]
        assert sum(f.count for f in report.failures if f.what == "task") == len(failed)
        gates = [run for run in self.world.runs.values() if run.request is not None]
        assert total.open_waits[WaitCause.GATE] == len(gates)


def _number(log: list[EventBody], kind: type) -> int:
    return sum(isinstance(body, kind) for body in log)


FEW = effort(15, steps=20)
TestReportedLife = ReportedLife.TestCase
TestReportedLife.settings = FEW
TestReportedWork = ReportedWork.TestCase
TestReportedWork.settings = FEW

USAGE = Usage(input_tokens=7, output_tokens=3, cost=0.1, currency="USD")
BODIES = st.sampled_from(
    [
        proposed(a=(), b=("a",)),
        PlanDecided(revision=1, outcome=outcome("plan-1")),
        started("a", "b"),
        *(updated(task, status) for task in "ab" for status in ("running", "failed", "completed")),
        PlanCompleted(plan_id="p", final_status="completed", summary="s"),
        opened("test"),
        turn_began(),
        turn_over(usage=USAGE, ms=5),
        turn_over(failure="it exited"),
        step("tests", passed=False, duration_ms=3),
        GateOpened(request=request("g", Subject.GATE)),
        GateDecided(outcome=outcome("g")),
        conversation("chat", "codex"),
        answered(USAGE),
    ]
)
STREAMS = st.lists(
    st.lists(st.tuples(st.integers(0, 200_000), BODIES), max_size=25).map(
        lambda told: sorted(told, key=lambda each: each[0])
    ),
    max_size=5,
)


def whole(tallies: list[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.include(tally)
    return total


@given(streams=STREAMS, order=st.randoms(), cut=st.integers(0, 5))
def test_a_report_of_parts_is_that_of_the_whole(streams, order, cut):
    every = report_of(whole([counted(*s) for s in streams]), Scope(until=NOW))
    order.shuffle(streams)
    parts = [whole([counted(*s) for s in part]) for part in (streams[:cut], streams[cut:])]
    assert report_of(whole(parts), Scope(until=NOW)) == every


@given(streams=STREAMS, early=st.integers(0, 200_000), late=st.integers(0, 200_000))
def test_a_later_beginning_never_counts_more_and_what_stands_stays(streams, early, late):
    begins = [T0 + timedelta(seconds=s) for s in sorted((early, late))]
    for stream in streams:
        more, less = (counted(*stream, since=since) for since in begins)
        for name in ("ends", "usage", "steps", "repeats", "failures"):
            assert getattr(less, name) <= getattr(more, name)
        assert (less.unfinished, less.open_waits) == (more.unfinished, more.open_waits)


@given(streams=STREAMS)
def test_since_the_first_event_is_since_ever(streams):
    for stream in streams:
        assert counted(*stream, since=T0) == counted(*stream)
