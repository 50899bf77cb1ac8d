"""Random histories of a thread and its tasks against the dumb model.

`pytest tests/domain/test_thread_machine.py --hypothesis-profile=nightly` runs 20,000 of them.
"""

from collections import Counter
from datetime import UTC, datetime

from hypothesis.stateful import invariant, rule

from domain.conversations.commands import EndTurn, SendMessage
from domain.core.approval_commands import Approve, Reject
from domain.core.event import Event, JournaledEvent
from domain.core.ids import EventId, StreamId, TaskId, task_workflow_id
from domain.plans.status import PlanStatus
from domain.reading.event_kinds import EVENT
from domain.reading.projection import ThreadFold
from domain.tasks.rules import evolve as evolve_task
from domain.tasks.state import TaskState
from domain.tasks.status import TaskStatus
from domain.threads.events import TaskUpdated
from domain.threads.rules import evolve
from domain.threads.running.events import LearningsAdded
from domain.threads.state import ThreadState
from tests.domain.strategies import TEMPLATES
from tests.domain.work_machine import WorkMachine
from tests.domain.world import THREAD
from tests.hypothesis_profiles import effort

ROUNDS = 30


class ThreadMachine(WorkMachine):
    """Everything a person, an agent and a workflow can do, in any order; and what goes wrong."""

    @rule()
    def results_come_late(self) -> None:
        """Give every result again; those of older runs, attempts and turns too."""
        for command in self.late:
            assert self.world.send(command) == (), f"{command!r} was taken twice"
        for run, late in self.late_task:
            turn = self.world.runs[run].running_turn
            if not (isinstance(late, EndTurn) and late.result.turn_id == turn):
                assert self.world.send_task(run, late) == (), f"{late!r} was taken twice"

    @rule()
    def crash(self) -> None:
        """Lose everything but the events; and carry every state as JSON."""
        world = self.world
        thread, runs = ThreadState(thread_id=THREAD), dict.fromkeys(world.runs, TaskState())
        numbers: dict[str, int] = {}
        fold = ThreadFold(THREAD)
        ids = Counter[str]()
        for position, (stream, body) in enumerate(world.log, 1):
            ids[stream] += 1
            event = Event(
                id=EventId(f"{stream}.{ids[stream]}"),
                stream=StreamId(stream),
                at=datetime(2026, 1, 1, tzinfo=UTC),
                body=body,
            )
            assert EVENT.validate_json(EVENT.dump_json(event)) == event
            journaled = JournaledEvent(position=position, event=event)
            fold.add(journaled)
            fold.add(journaled)
            if stream == THREAD:
                thread = evolve(thread, body)
            else:
                name = stream.split("/")[1]
                numbers[name] = getattr(body, "run", numbers.get(name, 0))
                run = (name, numbers[name])
                runs[run] = evolve_task(runs[run], body)
        assert thread == world.thread == fold.thread
        assert runs == world.runs
        self._check_view(fold, numbers)
        world.thread = ThreadState.model_validate_json(world.thread.model_dump_json())
        assert world.thread == thread
        for run, state in world.runs.items():
            world.runs[run] = TaskState.model_validate_json(state.model_dump_json())
            assert world.runs[run] == state

    def _check_view(self, fold: ThreadFold, numbers: dict[str, int]) -> None:
        view = fold.view()
        assert view is not None
        assert {t.task_id: t.status for t in view.tasks} == self._statuses()
        assert view.progress.done == list(self._statuses().values()).count("completed")
        shown = {request.request.request_id for request in view.requests}
        expected = {self.paper.shown[0]} if self.paper.shown else set()
        for name, task in self.paper.tasks.items():
            paper = self.papers.get((name, task.run))
            if paper and paper.shown:
                expected.add(paper.shown[0])
        assert shown == expected
        if view.plan_status is PlanStatus.COMPLETED and not self.paper.shown:
            assert view.waiting_for == "" or "planning" in view.waiting_for
        for name, number in numbers.items():
            stream = task_workflow_id(THREAD, TaskId(name))
            assert fold.tasks[stream] == self.world.runs[name, number]

    # --- always

    def _statuses(self) -> dict[str, str]:
        return {name: task.status for name, task in self.paper.tasks.items()}

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        state, paper = self.world.thread, self.paper
        assert state.plan_status == paper.plan
        assert {n: t.status for n, t in state.tasks.items()} == self._statuses()
        assert {n: t.run for n, t in state.tasks.items()} == {
            n: t.run for n, t in paper.tasks.items()
        }
        assert list(state.settling) == paper.settling
        assert len(paper.busy) <= paper.slots

    @invariant()
    def nothing_is_stuck(self) -> None:
        """With nothing to do, a person is asked, or it is over, or paused, or idle."""
        if self.world.actions():
            return
        state = self.world.thread
        for name in self.paper.busy:
            assert self.world.runs[name, state.tasks[TaskId(name)].run].waiting_for
        if state.plan_status is PlanStatus.ACTIVE and not self.paper.busy:
            assert state.waiting_for
        if state.plan_status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED}:
            assert not self.paper.busy

    def teardown(self) -> None:
        """A person who answers everything that is asked brings the plan to its end."""
        if not hasattr(self, "world"):
            return
        for _ in range(ROUNDS):
            self._rest()
            self.nothing_is_stuck()
            if not self.paper.is_live:
                break
            self._answer()
        assert not self.paper.is_live, f"still not over: {self._statuses()}"
        self.results_come_late()
        self._learnings_came_once()
        self.crash()

    def _learnings_came_once(self) -> None:
        """Those of each task that completed, and no others, in that order."""
        events = [event for stream, event in self.world.log if stream == THREAD]
        completed = [
            (event.task_id, event.run)
            for event in events
            if isinstance(event, TaskUpdated) and event.new_status is TaskStatus.COMPLETED
        ]
        added = [(e.task_id, e.run) for e in events if isinstance(e, LearningsAdded)]
        assert added == completed

    def _rest(self) -> None:
        for _ in range(400):
            actions = self.world.actions()
            if not actions:
                return
            self._do(*actions[0], passed=True, turn=7)
            self.it_is_as_the_model_says()
        raise AssertionError("it never comes to rest")

    def _answer(self) -> None:
        """Reject each first attempt at a gate, and do whatever else a thread waits for."""
        for run in [run for run in self.world.runs if self.world.is_live(run)]:
            shown = self.papers[run].shown
            if shown is None:
                assert self.tell_run(run, SendMessage(text="go on", command_id=self._id()))
            else:
                kind = Approve if self.papers[run].outcomes else Reject
                verdict = kind(request_id=shown[0], content_hash=shown[1], feedback="again")
                assert self.tell_run(run, verdict)
        for which, (name, made) in enumerate(self.paper.decisions.items()):
            if made is None:
                self.decide(which, ("a",))
                assert self.paper.decisions[name] == ("a",)
        if self.paper.plan == "paused":
            self.steer("resume", 0)
        self.retry_all()
        self.it_is_as_the_model_says()


def test_of_decisions_that_time_out_at_once_the_first_task_of_the_plan_gets_the_slot() -> None:
    decisions = [
        {
            "id": name,
            "question": "which?",
            "options": [{"label": "a"}, {"label": "b"}],
            "timeout_seconds": 60,
            "safe_default": "a",
        }
        for name in ("d-0", "d-1")
    ]
    tasks = [
        {"id": "t-1", "title": "t-1", "decision_id": "d-1"},
        {"id": "t-3", "title": "t-3", "decision_id": "d-0"},
    ]
    machine = ThreadMachine()
    plan = {"summary": "do it", "tasks": tasks, "decisions": decisions}
    machine.open(slots=1, template=TEMPLATES[0], plan=plan, at_once=1)
    while not machine.paper.busy:
        machine.pass_time("decision:d-0")
        machine.it_is_as_the_model_says()
    assert machine.paper.busy == ["t-1"]


TestThreadMachine = ThreadMachine.TestCase
TestThreadMachine.settings = effort(200)
