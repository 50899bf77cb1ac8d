"""The rules of a person at a thread: planning, decisions, steering (see test_thread_machine.py)."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from domain.conversations.commands import EndTurn, OpenSession, SendMessage
from domain.conversations.reports import EndSessionTurn
from domain.core.approval_commands import Approve, Decide, Reject
from domain.core.approvals import content_hash
from domain.core.ids import TaskId
from domain.plans.warnings import plan_hash
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.commands import EndStep
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Pause, Resume, Retry
from domain.threads.commands import EndTask, SettleTask
from domain.threads.planning.commands import EditPlan, RequestPlan
from tests.domain.paper import PaperRun, PaperTask, PaperThread
from tests.domain.strategies import PICK, TEMPLATES, plans
from tests.domain.watch import watch
from tests.domain.world import Run, World

WAYS = ["pause", "resume", "resume", "resume", "abort", "abort"]


class PersonMachine(RuleBasedStateMachine):
    """What a person can do to a thread, and its planner."""

    @initialize(
        slots=st.integers(1, 3), template=st.sampled_from(TEMPLATES), plan=plans(), at_once=PICK
    )
    def open(self, slots: int, template: Any, plan: dict[str, Any], at_once: int) -> None:
        self.world = World(slots, template)
        self.paper = PaperThread(slots)
        self.papers: dict[Run, PaperRun] = {}
        self.late: list[EndTask | SettleTask] = []
        self.late_task: list[tuple[Run, EndTurn | EndStep]] = []
        self.count = 0
        if at_once % 8:
            self.propose(plan, is_planner=True)
            self.decide_plan(is_approved=True, feedback="")

    # --- how things are sent

    def tell(self, command: Any) -> bool:
        """Send the thread a command; tells whether it was taken."""
        return self.world.send(command) is not None

    def tell_run(self, run: Run, command: Any) -> bool:
        events = self.world.send_task(run, command)
        watch(self.papers[run], run, events or ())
        return events is not None

    def _id(self) -> str:
        self.count += 1
        return f"c-{self.count}"

    def _live(self, which: int) -> Run | None:
        live = [run for run in self.world.runs if self.world.is_live(run)]
        return live[which % len(live)] if live else None

    # --- planning

    @precondition(lambda self: not self.paper.is_live or self.count % 4 == 0)
    @rule(plan=plans(), is_planner=st.sampled_from([True, True, True, False]))
    def propose(self, plan: dict[str, Any], is_planner: bool) -> None:
        # where planning was cancelled nobody plans
        planner = (self.world.thread.planner if is_planner else None) or "nobody"
        is_planner = planner != "nobody"
        before = dict(self.world.thread.requests)
        sent = self.tell(ProposePlan(session_id=planner, plan=plan))
        assert sent == (is_planner and not self.paper.is_live and not self._is_archived(planner))
        request = next(iter(self.world.thread.requests.values()), None)
        if sent and request is not None and request.request_id not in before:
            self.paper.revisions += 1
            assert request.request_id == f"plan-{self.paper.revisions}"
            self.paper.shown = (request.request_id, request.content_hash)
            proposed = self.world.thread.plans[-1]
            bound = plan_hash(proposed.plan, proposed.warnings, proposed.handoff)
            assert bound == request.content_hash

    @precondition(lambda self: self.paper.shown is not None)
    @rule(handoff=st.sampled_from(["Only this.", "Only that."]))
    def edit_plan(self, handoff: str) -> None:
        """Rewrite the packet of the plan that waits: what was shown before can't be approved."""
        assert self.paper.shown is not None
        request, content = self.paper.shown
        assert self.tell(EditPlan(revision=int(request.split("-")[1]), handoff=handoff))
        (after,) = self.world.thread.requests.values()
        if after.content_hash != content:
            self.paper.revisions += 1
            assert after.request_id == f"plan-{self.paper.revisions}"
            self.paper.shown = (after.request_id, after.content_hash)
            assert not self.tell(Approve(request_id=request, content_hash=content))

    def _is_archived(self, session: str | None) -> bool:
        return self.world.thread.sessions[session].is_archived

    @precondition(lambda self: not self.paper.is_live or self.count % 4 == 0)
    @rule(
        is_approved=st.sampled_from([True, True, False]),
        feedback=st.sampled_from(["", "  ", "smaller", "smaller"]),
    )
    def decide_plan(self, is_approved: bool, feedback: str) -> None:
        """Decide the plan that is shown, else again what was decided or never asked."""
        earlier = [(name, content) for name, (_, content, _) in self.paper.decided.items()]
        request, content = self.paper.shown or (earlier or [("plan-1", "1" * 64)])[-1]
        self._decide_plan(request, "0" * 64, feedback, is_approved=is_approved)
        self._decide_plan("plan-77", content, feedback, is_approved=is_approved)
        self._decide_plan(request, content, feedback, is_approved=is_approved)

    @precondition(lambda self: not self.paper.is_live)
    @rule(plan=plans())
    def plan_again(self, plan: dict[str, Any]) -> None:
        """Ask for another plan and approve it at once, as soon as the old one's runs have ended."""
        self.ask_for_a_plan(is_new=True)
        self.propose(plan, is_planner=True)
        self.decide_plan(is_approved=True, feedback="")

    def _decide_plan(self, request: str, content: str, feedback: str, *, is_approved: bool) -> None:
        kind = Approve if is_approved else Reject
        was_shown = self.paper.shown
        choice = "approve" if is_approved else "reject"
        expected = self.paper.verdict(request, content, choice, feedback)
        said = {"request_id": request, "content_hash": content, "by": "p", "feedback": feedback}
        sent = self.tell(kind(**said, is_acknowledged=True))
        assert sent == expected, (sent, expected, request)
        if sent and is_approved and was_shown is not None and self.paper.shown is None:
            plan = self.world.thread.plans[int(request.split("-")[1]) - 1].plan
            tasks = {
                t.id: PaperTask(needs=list(t.depends_on), decision=t.decision_id)
                for t in plan.tasks
            }
            choices = {d.id: ([o.label for o in d.options], d.multi_select) for d in plan.decisions}
            self.paper.start(tasks or {"main": PaperTask([], None)}, choices)

    @precondition(lambda self: not self.paper.is_live or self.count % 4 == 0)
    @rule(
        turn=st.integers(1, 9), is_stopped=st.booleans(), failure=st.sampled_from([None, None, "x"])
    )
    def planner_ends_its_turn(self, turn: int, is_stopped: bool, failure: str | None) -> None:
        planner = self.world.thread.planner
        if planner is None:
            return
        ended = EndSessionTurn(
            session_id=planner, turn=turn, is_stopped=is_stopped, failure=failure
        )
        self.tell(ended)

    @precondition(lambda self: not self.paper.is_live or self.count % 4 == 0)
    @rule(is_new=st.booleans())
    def ask_for_a_plan(self, is_new: bool) -> None:
        command = (
            RequestPlan(goal="another goal", command_id=self._id())
            if is_new
            else OpenSession(command_id=self._id())
        )
        sent = self.tell(command)
        assert sent == (not is_new or not self.paper.is_live)
        if sent and is_new:
            self.paper.shown = None

    @precondition(lambda self: not self.paper.is_live or self.count % 4 == 0)
    @rule(name=st.sampled_from([None, "nobody"]))
    def say(self, name: str | None) -> None:
        command = SendMessage(text="hello", session_id=name, command_id=self._id())
        live = [s for s in self.world.thread.sessions.values() if not s.is_archived]
        assert self.tell(command) == (name is None and bool(live))

    # --- the running plan

    @rule(
        what=st.sampled_from([*WAYS, *WAYS, "abort_all", "cancel"]),
        which=PICK,
    )
    def steer(self, what: str, which: int) -> None:
        if what == "abort":
            self.abort(which)
            return
        if what == "pause":
            expected = self.paper.change("paused")
        elif what == "resume":
            expected = self.paper.change("active")
        elif what == "cancel":
            thread = self.world.thread
            open_roles = [s.role for s in thread.sessions.values() if not s.is_archived]
            planners = [p for p in thread.planning.planners if not self._is_archived(p)]
            expected = self.paper.cancel(is_planning=bool(planners), has_chat="chat" in open_roles)
        else:
            expected = self.paper.abort_all()
        kinds = {
            "pause": Pause,
            "resume": Resume,
            "cancel": Cancel,
            "abort_all": AbortAll,
        }
        assert self.tell(kinds[what](command_id=self._id())) == expected

    def abort(self, which: int) -> None:
        name = self._named(which)
        expected = self.paper.abort(name)
        assert self.tell(Abort(task_id=TaskId(name))) == expected

    @rule(which=PICK)
    def retry(self, which: int) -> None:
        name = self._named(which)
        expected = self.paper.retry(name)
        assert self.tell(Retry(task_id=TaskId(name))) == expected

    @rule()
    def retry_all(self) -> None:
        """Retry each task; most must be refused."""
        for which in range(len(self.paper.tasks)):
            self.retry(which)

    def _named(self, which: int) -> str:
        names = [*self.paper.tasks, "nobody"]
        return names[which % len(names)]

    @precondition(lambda self: bool(self.paper.decisions))
    @rule(which=PICK, chosen=st.sampled_from([("a",), ("b",), ("a", "b"), (), ("c",)]))
    def decide(self, which: int, chosen: tuple[str, ...]) -> None:
        names = [*self.paper.decisions, *self.paper.decisions, "d-9"]
        name = names[which % len(names)]
        expected = self.paper.decide(name, chosen)
        entry = self.world.thread.decisions.get(name)
        shown = content_hash(entry.decision) if entry else ""
        command = Decide(decision_id=name, selections=chosen, content_hash=shown)
        assert self.tell(command) == expected
