"""What is known of a thread. What a thread *is* follows from its data."""

from domain.conversations.questions.remembered import Remembered
from domain.core.approvals import ApprovalRequest, Outcome, Subject, without_feedback
from domain.core.autonomy import Autonomy
from domain.core.directories.state import SharedDirectory
from domain.core.four_eyes import Given
from domain.core.ids import WORK, SessionId, TaskId, ThreadId
from domain.core.status_words import UNPLANNED
from domain.core.wire import Wire
from domain.plans.plan import Decision, Plan
from domain.plans.settings import PlannerSettings
from domain.plans.status import PlanStatus
from domain.plans.templates.template import BranchStrategy, GitConventions, PlanApproval
from domain.tasks.conflicts import Merges
from domain.tasks.learnings import Learning
from domain.tasks.status import TaskStatus
from domain.threads.amending.state import Amending
from domain.threads.autonomy import approval_of
from domain.threads.bases.state import BaseState
from domain.threads.children.state import Family
from domain.threads.contests.state import Contest
from domain.threads.events import ThreadOpened
from domain.threads.landing.calls import Landing
from domain.threads.lifecycle.state import Lifecycle
from domain.threads.moving.state import Moving
from domain.threads.patches import ABORTS_ARE_NO_FAILURES, OWN_TURNS, PLANNING_AGAIN
from domain.threads.plan_files.state import ThreadPlanFiles
from domain.threads.planning.state import Planning, ProposedPlan
from domain.threads.publishing.publication import Publication
from domain.threads.running.failures import failures_of
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.running.state import Notice, OwnTurns, PlanDecision, ThreadTask
from domain.threads.setting_up.state import SetUp, SetUpStage
from domain.threads.thread_sessions import QueuedPrompt, ThreadSession
from domain.threads.working.state import Working

SINGLE_UNIT = TaskId("main")
"""The id of the one task that a plan without tasks ran as before `WORK_IN_SESSION`."""


class ThreadState(Wire):
    """A thread.

    `runs` holds the newest run of every task id in any plan: a later plan may use an id again, and
    a run's number names its branch, worktree and session. `coordinator` is the session that knows
    all about the plan with the id `coordinated`.
    """

    thread_id: ThreadId = ThreadId("")
    opened: ThreadOpened | None = None
    sessions: dict[SessionId, ThreadSession] = {}
    prompts: tuple[QueuedPrompt, ...] = ()
    seen_prompts: tuple[str, ...] = ()
    planning: Planning = Planning()
    goal: str = ""
    first_title: str = ""
    """What it is called other than by its goal: as its issue, or as before it was planned again."""

    plans: tuple[ProposedPlan, ...] = ()
    requests: dict[str, ApprovalRequest] = {}
    outcomes: dict[str, Outcome] = {}
    given: Given = {}
    approved: int | None = None
    autonomy: Autonomy | None = None
    plan_status: PlanStatus = PlanStatus.IDLE
    paused: str = ""
    """Who paused the plan and why, while it is paused."""
    tasks: PlanTasks = PlanTasks.of({})
    working: Working = Working()
    runs: dict[TaskId, int] = {}
    stems: tuple[str, ...] = ()
    """How the names of tasks' branches began in its plans, where not as its own."""
    decisions: dict[str, PlanDecision] = {}
    settling: tuple[TaskId, ...] = ()
    merges: Merges = Merges()
    publication: Publication = Publication()
    base: BaseState = BaseState()
    landing: Landing = Landing()
    coordinator: SessionId | None = None
    coordinated: str = ""
    is_auto: bool = False
    auto_by: str = ""
    learnings: tuple[Learning, ...] = ()
    has_promoted: bool = False
    notices: tuple[Notice, ...] = ()
    own_turns: OwnTurns = OwnTurns()
    lifecycle: Lifecycle = Lifecycle()
    recorded: int = 0
    """How many events it has."""
    directory: SharedDirectory = SharedDirectory()
    amending: Amending = Amending()
    family: Family = Family()
    remembered: Remembered = Remembered()
    plan_files: ThreadPlanFiles = ThreadPlanFiles()
    set_up: SetUp = SetUp()
    moving: Moving = Moving()
    contests: dict[TaskId, Contest] = {}

    def plan_approval_of(self, task_id: TaskId) -> PlanApproval | None:
        """Return who approves a task's own plan, None where it is not planned.

        A run that resolves a conflict is not planned: the work was accepted already.
        """
        work = self.merges.works.get(task_id)
        if work is not None and work.run in {self.tasks[task_id].run, self.next_run(task_id)}:
            return None
        return approval_of(self.tasks[task_id].task, self.opened, self.autonomy)

    @property
    def depth(self) -> int:
        """How many threads stand above this one."""
        parent = self.opened.parent if self.opened else None
        return parent.depth if parent else 0

    @property
    def planner(self) -> SessionId | None:
        """The first planner of the goal, while it is being planned and after."""
        return next(iter(self.planning.planners), None)

    @property
    def planning_failure(self) -> str:
        """Why no plan will be proposed, empty while one may be or is."""
        is_asked = any(r.subject is Subject.PLAN for r in self.requests.values())
        return "" if is_asked or self.plan_status.is_live else self.planning.failure

    @property
    def plan(self) -> Plan | None:
        """The approved plan."""
        return None if self.approved is None else self.plans[self.approved - 1].plan

    @property
    def git(self) -> GitConventions:
        """The conventions of the template, as the approved plan overrides them."""
        usual = self.opened.template.git if self.opened else GitConventions()
        own = self.plan.git if self.plan else None
        return own.over(usual) if own else usual

    @property
    def is_shared(self) -> bool:
        """Whether all tasks work, one after the other, on the thread's own branch."""
        return self.git.branch_strategy is BranchStrategy.SHARED

    @property
    def slots(self) -> int:
        """How many tasks can be at work at the same time."""
        return 1 if self.is_shared else self.planner_settings.max_parallel_steps

    @property
    def task_stem(self) -> str:
        """How the names of its tasks' branches begin."""
        if self.opened is None:
            return ""
        usual = self.opened.template.git.branch_prefix
        return f"{self.git.branch_prefix}{self.opened.branch.removeprefix(usual)}"

    @property
    def handoff(self) -> str:
        """What fresh agents get of the approved plan, as the person saw it."""
        return "" if self.approved is None else self.plans[self.approved - 1].handoff

    @property
    def planner_settings(self) -> PlannerSettings:
        """How plans run here."""
        return self.opened.planner if self.opened else PlannerSettings()

    @property
    def plan_id(self) -> str:
        """The id of the approved plan."""
        return f"{self.thread_id}/plan-{self.approved}"

    def next_run(self, task_id: TaskId) -> int:
        """Return the number of the run that a task starts with next."""
        newest = self.runs.get(task_id, 0)
        work = self.merges.work_of(task_id, newest)
        # a run that was prepared by hand has its number before it starts
        return newest if work is not None and self.tasks[task_id].run < newest else newest + 1

    @property
    def own_turns_left(self) -> int:
        """How many more turns its agent may take without a message."""
        own = self.own_turns
        allowed = self.planner_settings.own_turns if own.allowed is None else own.allowed
        return max(allowed - own.taken, 0) if self.has_patch(OWN_TURNS) else 0

    @property
    def is_stalled(self) -> bool:
        """Whether an active plan can't go on without a person: nothing runs, nothing can start."""
        if self.plan_status is not PlanStatus.ACTIVE or not self.tasks:
            return False
        return not self.tasks.is_moving

    @property
    def has_failed(self) -> bool:
        """Whether it can't go on for what failed; what a person aborted did not."""
        if self.planning_failure:
            return True
        if not self.is_stalled:
            return False
        stopped = self.tasks.having(TaskStatus.FAILED, TaskStatus.CANCELLED)
        is_failed = any(entry.has_failed for _, entry in stopped)
        return is_failed or not self.has_patch(ABORTS_ARE_NO_FAILURES)

    def has_patch(self, patch: str) -> bool:
        """Tell whether a change to the rules holds for the thread."""
        return self.opened is not None and self.opened.has_patch(patch)

    @property
    def waiting_for(self) -> str:
        """What a person is asked at the thread itself, in a phrase."""
        if self.lifecycle.is_terminated:
            return ""
        if self.requests:
            return next(iter(self.requests.values())).asks
        if self.planning_failure:
            return f"{UNPLANNED}: {self.planning_failure}"
        if self.set_up.stage is SetUpStage.FAILED:
            return f"set-up failed: {self.set_up.result.failure}"
        if self.open_decisions:
            return f"decision: {self.open_decisions[0].question}"
        if self.merges.open:
            return next(iter(self.merges.open.values())).conflict.asks
        if self.has_failed:
            what = "the work failed: retry it" if self.work else "failed tasks: retry them"
            return f"{what}, or cancel the plan"
        return ""

    @property
    def asks(self) -> str:
        """What the inbox has of the thread itself, in a phrase; failed tasks also while others go on."""
        if self.waiting_for or self.lifecycle.is_terminated or not self.plan_status.is_live:
            return self.waiting_for
        return "failed tasks: retry them, or cancel the plan" if failures_of(self.tasks) else ""

    @property
    def status(self) -> str:
        """The thread in a word, as far as it knows by itself; a task's gate is known to the task."""
        if self.lifecycle.is_terminated:
            return "terminated"
        is_over = self.plan_status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED}
        if is_over and not self._is_planned_again:
            return self.plan_status
        if self.has_failed:
            return "failed"
        if self.waiting_for:
            return "waiting"
        if self.plan_status is PlanStatus.PAUSED or self.is_stalled:
            return "paused"
        if self.plan_status is PlanStatus.ACTIVE:
            return "running"
        return "planning" if self.planner else "chat"

    @property
    def title(self) -> str:
        """What it is called: by a person, else by the first goal that it was planned for."""
        return self.lifecycle.topic or self.first_title or self.goal

    @property
    def is_planning(self) -> bool:
        """Whether a planner of the goal is there to propose something."""
        planners = (self.sessions.get(name) for name in self.planning.planners)
        return any(planner is not None and planner.is_planner for planner in planners)

    @property
    def _is_planned_again(self) -> bool:
        """Whether something is planned, or asked, after a plan that has ended."""
        return self.has_patch(PLANNING_AGAIN) and (self.is_planning or self.waiting_for != "")

    def without_old_texts(self) -> "ThreadState":
        """Return what the next run of the workflow needs: of replaced plans only that they were.

        The journal has them whole, and the feedback of rejections; many would outgrow a payload. The
        tasks of the approved plan are carried once, as they stand.
        """
        newest = {p.session_id: p.revision for p in self.plans}
        kept = {
            self.approved,
            *(newest[s] for s in self.planning.planners if s in newest),
            *(p.revision for p in self.plans if p.request.request_id in self.requests),
        }
        plans = (
            p.without_tasks()
            if p.revision == self.approved
            else (p if p.revision in kept else p.without_texts())
            for p in self.plans
        )
        outcomes = without_feedback(self.outcomes)
        return self.model_copy(update={"plans": tuple(plans), "outcomes": outcomes})

    @property
    def work(self) -> ThreadTask | None:
        """The work of a plan without tasks, in the session that it is carried out in."""
        return self.tasks.get(WORK)

    @property
    def open_decisions(self) -> list[Decision]:
        """Decisions of the running plan that nobody has made."""
        if not self.plan_status.is_live:
            return []
        return [each.decision for each in self.decisions.values() if each.selections is None]
