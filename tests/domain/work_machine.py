"""The rules of agents, activities and gates (see test_thread_machine.py)."""

from typing import Any

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from domain.agents.agents import StopReason, TurnResult
from domain.conversations.commands import EndTurn, SendMessage, StopTurn
from domain.core.approval_commands import Approve, Reject
from domain.tasks.agent_commands import ReportBlocked, ReportDone, RequestPort
from domain.tasks.commands import EndStep, GrantPort
from domain.tasks.running_commands import Abort, Pause
from domain.threads.running.decision_events import DecisionMade
from domain.verification.steps import StepResult
from tests.domain.person_machine import PersonMachine
from tests.domain.strategies import PICK
from tests.domain.watch import paper_run, watch
from tests.domain.world import Run

DOING = st.tuples(PICK, st.sampled_from([True, True, True, False]), st.integers(0, 19))
"""Which of the things that can happen, does it pass or merge, how does a turn end."""


class WorkMachine(PersonMachine):
    """What happens to the runs of tasks, in any order."""

    @rule(doings=st.lists(DOING, min_size=1, max_size=10))
    def work(self, doings: list[tuple[int, bool, int]]) -> None:
        for which, passed, turn in doings:
            actions = self.world.actions()
            if actions:
                self._do(*actions[which % len(actions)], passed, turn)
                self.it_is_as_the_model_says()

    @rule(doings=st.lists(DOING, min_size=10, max_size=25))
    def work_for_long(self, doings: list[tuple[int, bool, int]]) -> None:
        self.work(doings)

    def _do(self, kind: str, run: Run, passed: bool, turn: int) -> None:
        world, events = self.world, ()
        note(f"{kind} {run}")
        if kind == "wait":
            self.pass_time(run[0])
            return
        match kind:
            case "deliver":
                world.deliver(run[0])
            case "start":
                events = world.start(run)
                self.papers[run] = paper_run(events[0])
            case "begin turn":
                events = world.begin_turn(run)
            case "end turn":
                events = self._end_turn(run, turn)
            case "step":
                events = world.step(run, passed=passed)
                last = world.runs[run].attempt
                assert last is not None
                result = StepResult(step_id=last.steps[-1].step_id, passed=not passed)
                self.late_task.append((run, EndStep(attempt=last.attempt, result=result)))
            case "abort":
                events = world.abort(run)
            case "report":
                ended = world.report(run)
                self.paper.ended(*run, ended.end)
                self.late.append(ended)
            case _:
                settled = world.settle(run, is_conflict=not passed)
                self.paper.settled(*run, is_merged=passed)
                self.late.append(settled)
        if kind in {"start", "begin turn", "end turn", "step", "abort"}:
            watch(self.papers[run], run, events)

    def pass_time(self, what: str) -> None:
        """Wait for what is due; decisions of one time are made at once, and tasks start after all of them."""
        made = [event for event in self.world.wait(what) if isinstance(event, DecisionMade)]
        assert all(event.decider == "policy" for event in made)
        if made:
            assert self.paper.time_out({e.decision_id: ", ".join(e.selections) for e in made})

    def _end_turn(self, run: Run, turn: int) -> Any:
        how = StopReason.CANCELLED if turn == 0 else StopReason.END_TURN
        failure = "it exited" if turn == 1 else None
        if turn % 4:
            for _ in self.papers[run].ports:
                self._request_port(run, self.world.session_of(run))
        old = self.world.runs[run].running_turn
        assert old is not None
        result = TurnResult(turn_id=old, snapshot=self.world.snapshot(run))
        self.late_task.append((run, EndTurn(result=result)))
        return self.world.end_turn(run, how, failure, is_changed=bool(turn % 3), reports=turn > 5)

    @precondition(lambda self: bool(self.papers))
    @rule(
        which=PICK,
        is_approved=st.sampled_from([True, False]),
        feedback=st.sampled_from(["", "again", "again"]),
    )
    def decide_gate(self, which: int, is_approved: bool, feedback: str) -> None:
        """Decide at an open gate if there is one, else again what was decided or never asked."""
        open_gates = [run for run, paper in self.papers.items() if paper.shown]
        runs = open_gates or list(self.papers)
        run = runs[which % len(runs)]
        paper = self.papers[run]
        earlier = [(name, content) for name, (_, content) in paper.outcomes.items()]
        request, content = paper.shown or (earlier or [("t-1/gate-1-1", "1" * 64)])[-1]
        kind = Approve if is_approved else Reject
        words = {"by": "p", "feedback": feedback}
        assert not self.tell_run(run, kind(request_id=request, content_hash="0" * 64, **words))
        assert not self.tell_run(run, kind(request_id=f"{request}0", content_hash=content, **words))
        choice = "approve" if is_approved else "reject"
        is_known = paper.shown or paper.outcomes.get(request, ("", ""))[0] == choice
        expected = bool(is_known) and (is_approved or bool(feedback))
        assert (
            self.tell_run(run, kind(request_id=request, content_hash=content, **words)) == expected
        )

    @precondition(lambda self: self._live(0) is not None)
    @rule(
        which=PICK,
        what=st.sampled_from(["say", "say", "stop", "done", "blocked", "port", "abort", "other"]),
    )
    def at_a_task(self, which: int, what: str) -> None:
        run = self._live(which)
        if run is None:
            return
        session = self.world.session_of(run)
        is_turning = self.papers[run].is_turning
        at_gate = self.papers[run].shown is not None
        match what:
            case "say":
                sent = self.tell_run(run, SendMessage(text="hi", command_id=self._id()))
                assert sent == (not at_gate)
            case "stop":
                assert self.tell_run(run, StopTurn()) == is_turning
            case "done":
                assert self.tell_run(run, ReportDone(session_id=session)) == is_turning
            case "blocked":
                blocked = ReportBlocked(session_id=session, reason="no key")
                assert self.tell_run(run, blocked) == is_turning
            case "port":
                self._request_port(run, session)
            case "abort":
                assert self.tell_run(run, Abort())
            case _:
                assert not self.tell_run(run, ReportDone(session_id="somebody"))
                assert not self.tell_run(run, Pause())

    def _request_port(self, run: Run, session: str) -> None:
        paper = self.papers[run]
        sent = self.tell_run(run, RequestPort(session_id=session, port_id="web"))
        assert sent == (paper.is_turning and "web" in paper.ports)
        if sent:
            self.tell_run(run, GrantPort(port_id="web", number=40000))
