"""Random histories of planning against a dumb model: rivals, revisions, edits, races of approvals."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from domain.core.approval_commands import Approve, Reject
from domain.core.errors import TreadleError
from domain.tasks.agent_commands import ProposePlan
from domain.threads.planning.commands import AddPlanner, EditPlan, RequestPlan
from domain.threads.rules import evolve
from domain.threads.state import ThreadState
from tests.domain.planning_world import FIRST, THREAD, World
from tests.hypothesis_profiles import effort

PICK = st.integers(0, 9)
FENCED = '```json\n{"summary": "in words"}\n```'
PLANS: dict[str, Any] = {
    "sound": {"summary": "sound", "tasks": [{"id": "a", "title": "A"}]},
    "small": {"summary": "small"},
    "fixed": {"tasks": [{"id": "a", "title": "A", "depends_on": ["a"]}]},
    "broken": {"tasks": [{"id": "A B", "title": "A"}]},
}


class PlanningMachine(RuleBasedStateMachine):
    """`open` holds what may be approved: the request, its planner, hash, and whether it has warnings."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.planners = [FIRST]
        self.sessions = 1
        self.open: dict[str, tuple[str, str, bool]] = {}
        self.gone: dict[str, str] = {}
        self.approved = ""
        self.turn = 0

    def _tell(self, command: Any) -> bool:
        before = self.world.state
        try:
            self.world.send(command)
        except TreadleError:
            assert self.world.state == before, "a refused command changes nothing"
            return False
        return True

    def _planner(self, which: int) -> str:
        return self.planners[which % len(self.planners)]

    def _now_open(self, planner: str) -> None:
        """Take over a new revision: it stands for its planner."""
        newest = self.world.state.plans[-1]
        if newest.request.request_id in self.open or newest.request.request_id in self.gone:
            return
        for name, (owner, shown, _) in list(self.open.items()):
            if owner == planner:
                self.gone[name] = shown
                del self.open[name]
        needs = any(warning.needs_acknowledgement for warning in newest.warnings)
        shown = newest.request.content_hash
        self.open[newest.request.request_id] = (planner, shown, needs)

    @rule(which=PICK, plan=st.sampled_from(sorted(PLANS)))
    def propose(self, which: int, plan: str) -> None:
        planner = self._planner(which)
        sent = self._tell(ProposePlan(session_id=planner, plan=PLANS[plan]))
        assert sent == (not self.approved and plan != "broken")
        if sent:
            self._now_open(planner)

    @rule(which=PICK, text=st.sampled_from(["prose", FENCED, "```json\n{,\n```"]))
    def end_a_turn(self, which: int, text: str) -> None:
        self.turn += 1
        planner, count = self._planner(which), len(self.world.state.plans)
        self.world.ended(planner, self.turn, text=text)
        if len(self.world.state.plans) > count:
            assert text == FENCED, "a plan was invented"
            self._now_open(planner)
        before = len(self.world.log)
        self.world.ended(planner, self.turn, text=text)
        late = self.world.log[before:]
        assert all(event.kind == "prompt_delivered" for event in late), "a turn ended twice"

    @rule()
    def add_a_rival(self) -> None:
        sent = self._tell(AddPlanner(agent="two", command_id=f"c-{self.sessions}"))
        assert sent == (not self.approved and len(self.planners) < 5)
        if sent:
            self.sessions += 1
            self.planners.append(f"{THREAD}/session-{self.sessions}")

    @rule(which=PICK, handoff=st.sampled_from(["one", "two"]))
    def edit(self, which: int, handoff: str) -> None:
        names = [*self.open, *self.gone] or ["plan-1"]
        name = names[which % len(names)]
        sent = self._tell(EditPlan(revision=int(name.split("-")[1]), handoff=handoff))
        assert sent == (name in self.open)
        if sent:
            self._now_open(self.open[name][0])

    @rule(which=PICK, is_stale=st.booleans(), is_read=st.booleans(), is_approved=st.booleans())
    def decide(self, which: int, is_stale: bool, is_read: bool, is_approved: bool) -> None:
        names = [*self.open, *self.gone]
        if not names:
            return
        name = names[which % len(names)]
        planner, shown, needs = self.open.get(name, ("", self.gone.get(name, ""), False))
        shown = "0" * 64 if is_stale else shown
        said = {"request_id": name, "content_hash": shown, "by": "ada"}
        if is_approved:
            sent = self._tell(Approve(**said, is_acknowledged=is_read))
            may = name in self.open and not is_stale and (is_read or not needs)
        else:
            sent = self._tell(Reject(**said, feedback="smaller"))
            may = name in self.open and not is_stale
        outcome = self.world.state.outcomes.get(name)
        is_repeat = name in self.gone and outcome is not None and sent
        assert sent == may or is_repeat, (name, sent, may)
        if may:
            del self.open[name]
            self.gone[name] = shown
            if is_approved:
                self.approved = name
                self.gone |= {other: was[1] for other, was in self.open.items()}
                self.open.clear()
            else:
                prompts = [p for p in self.world.state.prompts if p.session_id == planner]
                assert prompts, "the planner hears the feedback"

    @precondition(lambda self: not self.approved)
    @rule()
    def ask_anew(self) -> None:
        self._tell(RequestPlan(command_id=f"r-{self.sessions}"))
        self.sessions += 1
        self.planners = [f"{THREAD}/session-{self.sessions}"]
        self.gone |= {name: shown for name, (_, shown, _) in self.open.items()}
        self.open.clear()

    @rule()
    def crash(self) -> None:
        state = ThreadState(thread_id=THREAD)
        for event in self.world.log:
            state = evolve(state, event)
        assert state == self.world.state
        self.world.state = ThreadState.model_validate_json(state.model_dump_json())
        assert self.world.state == state

    @rule()
    def continue_as_new(self) -> None:
        carried = self.world.state.without_old_texts()
        for plan in carried.plans:
            whole = self.world.state.plans[plan.revision - 1]
            if plan.request.request_id in self.open:
                assert plan == whole
            elif plan.request.request_id == self.approved:
                assert plan == whole.without_tasks(), "its tasks are the thread's"

    @invariant()
    def only_what_is_shown_can_start(self) -> None:
        state = self.world.state
        assert list(state.requests) == list(self.open)
        assert {n: r.content_hash for n, r in state.requests.items()} == {
            name: shown for name, (_, shown, _) in self.open.items()
        }
        assert [p.revision for p in state.plans] == list(range(1, len(state.plans) + 1))
        assert bool(state.tasks) == bool(self.approved), "nothing starts without an approval"
        assert len(state.planning.planners) == len(self.planners) <= 5


TestPlanningMachine = PlanningMachine.TestCase
TestPlanningMachine.settings = effort(100, steps=30)
