"""What the API shows of threads, tasks and sessions, as `domain.reading.projection` makes it."""

from datetime import datetime
from typing import Self

from domain.agents.terminals import AllocatedPort, Terminal
from domain.conversations.events import TurnConcern
from domain.conversations.questions.question import Rule
from domain.conversations.questions.views import OpenQuestion
from domain.conversations.stats import TaskStats
from domain.core.approvals import ApprovalRequest
from domain.core.comments import LineComment
from domain.core.four_eyes import Given, Needed
from domain.core.ids import SessionId, TaskId, ThreadId
from domain.core.money import Money
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot
from domain.forges.issues import IssueLink
from domain.forges.policy import PublishAs
from domain.plans.ancestry import ParentThread
from domain.plans.status import PlanStatus
from domain.plans.templates.template import PlanApproval
from domain.publications.views import WatchedPullRequest
from domain.reading.contest_views import ContestView
from domain.reading.task_activity import TaskActivity
from domain.tasks.learnings import Learning
from domain.tasks.plans import TaskPlan
from domain.tasks.status import TaskStatus
from domain.threads.amending.history import AmendmentView
from domain.threads.amending.state import AmendedVersion
from domain.threads.bases.state import BaseState
from domain.threads.children.state import ChildThread
from domain.threads.fork_origin import Beginning, ForkOrigin
from domain.threads.landing.calls import Landing
from domain.threads.lifecycle.state import ChatMerge
from domain.threads.merging.overlaps import Overlap
from domain.threads.progress import Progress
from domain.threads.publishing.publication import Publication
from domain.threads.running.health import ShownNotice
from domain.threads.running.view import RunningView
from domain.threads.setting_up.state import SetUp
from domain.threads.shown import ShownConflict, ShownDecision
from domain.threads.state import ProposedPlan
from domain.verification.steps import VerificationAttempt


class OpenRequest(Wire):
    """A question that waits for a person, and where its answer goes.

    `signal_lines` are the ready `temporal workflow signal` commands, by choice; the API fills them.
    """

    request: ApprovalRequest
    workflow_id: str
    task_id: TaskId | None = None
    approved_by: tuple[str, ...] = ()
    """Who approved it already, where more than one person must."""
    missing: str = ""
    """What is missing where one person's approval is not enough, like `1 of 2 approvals, by alice`."""
    not_by: tuple[str, ...] = ()
    """Whose approval would not count: they opened or edited it, or approved it already."""
    signal_lines: dict[str, str] = {}

    def counting(self, needed: Needed, given: Given) -> Self:
        """Return it with who approved it, and what is missing where one person is not enough."""
        if needed == Needed():
            return self
        people = given.get(self.request.request_id, ())
        return self.model_copy(
            update={
                "approved_by": people,
                "missing": needed.missing(people),
                "not_by": needed.not_by(people),
            }
        )


class SessionView(Wire):
    """One session of a thread or of a task; `sandbox` says how its agent's process is confined.

    `options` are what its agent's mode, model and other options stand at, by category or id.
    `concerns` are what worries about its running turn.
    A turn that its provider refused so many times `waits_until` then, for what is in `waits_for`; with
    `is_over_limit` a spending limit is reached, which a person raises.
    `merge` is how the newest merge of a chat's changes stands. One that ended by itself may go on
    in another, `replaced_by`, whose agent does not know what was said.
    """

    session_id: SessionId
    role: str
    agent: str
    model: str | None = None
    is_archived: bool = False
    turns: int = 0
    is_working: bool = False
    tool_calls: int = 0
    waits_until: datetime | None = None
    waits_for: str = ""
    refusals: int = 0
    is_over_limit: bool = False
    sandbox: str = ""
    version: str = ""
    options: dict[str, str | bool] = {}
    stats: TaskStats = TaskStats()
    files: tuple[str, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    concerns: tuple[TurnConcern, ...] = ()
    so_far: TaskStats = TaskStats()
    by_agent: dict[str, TaskStats] = {}
    merge: ChatMerge = ChatMerge()
    replaced_by: SessionId | None = None

    @property
    def is_crowded(self) -> bool:
        """Whether its turn waits for others to leave room under a spending limit: nobody is asked."""
        return self.waits_until is not None and not self.refusals and not self.is_over_limit


class TaskView(Wire):
    """A task: its place in the plan and what its newest run does.

    `child` is the thread that it runs as, if it does. `report` is the agent's word of its newest turn, `feedback` that of the last rejection,
    `comments` those on its lines, `reviewed` the commit that it was about. A run that was retried
    from a checkpoint has it as `begins_with`.
    `plan` is the newest one of its own planner, `output` its agent's last message.
    With `is_review_held` a review could not be made, and a person says how it goes on.
    `sessions` are those of the newest run, `earlier_sessions` of those before, kept to be read.
    `total_attempts` are those of all its runs, `max_attempts` how many may fail in a row.
    `stats` are those of its newest run, `money` is what all of its runs cost, the running turn so far included.
    `doubts` are what a person should know before they trust its verification, since its gate opened.
    `activity` is what it does now or waits for, `doing` that as a phrase. `waiting_for` is what its
    run asks a person, in a phrase.
    `abort_reason` is why the thread's agent aborted it, `context` what that added, `learnings` those that it was told, `learned` its own.
    """

    task_id: TaskId
    title: str
    description: str = ""
    mode: str = "code"
    owner: str = ""
    depends_on: tuple[TaskId, ...] = ()
    status: TaskStatus
    notes: str = ""
    abort_reason: str = ""
    activity: TaskActivity = TaskActivity.NONE
    doing: str = ""
    decision_id: str | None = None
    waiting_for: str = ""
    run: int = 0
    begins_with: Beginning | None = None
    turns: int = 0
    attempts: tuple[VerificationAttempt, ...] = ()
    total_attempts: int = 0
    max_attempts: int = 0
    snapshot: Snapshot | None = None
    report: str = ""
    feedback: str = ""
    comments: tuple[LineComment, ...] = ()
    reviewed: str | None = None
    request: ApprovalRequest | None = None
    questions: tuple[OpenQuestion, ...] = ()
    branch: str | None = None
    merge_commit: str | None = None
    work_ms: int = 0
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ports: dict[str, int] = {}
    allocated: tuple[AllocatedPort, ...] = ()
    terminals: tuple[Terminal, ...] = ()
    context: tuple[str, ...] = ()
    learnings: tuple[Learning, ...] = ()
    learned: tuple[Learning, ...] = ()
    child: ThreadId | None = None
    plan: TaskPlan | None = None
    plan_approval: PlanApproval | None = None
    is_plan_approved: bool = False
    sessions: tuple[SessionView, ...] = ()
    earlier_sessions: tuple[SessionView, ...] = ()
    output: str = ""
    is_review_held: bool = False
    doubts: tuple[str, ...] = ()
    stats: TaskStats = TaskStats()
    money: Money = Money()
    warnings: tuple[str, ...] = ()


class ThreadView(Wire):
    """A thread with all that a person looks at first. `position` is the journal's at that moment.

    `versions` are the newest changes of the running plan, `amendments` those that wait for a person, `overlaps` the files that several sessions
    or tasks changed, `plan_file` is the path of the plan's file in the repository.

    `beside` are the folders of the other repositories.

    A plan without tasks has its `work`, which the session that planned it carries out: its `task_id` is
    the name of that in routes of tasks.

    `answered` says of each request of the thread itself that waits no more what became of it.

    `questions` are those of agents, `rules` the answers that are remembered.

    `signal_lines` are the ready `temporal workflow signal` commands of what can be said besides the
    open requests, by name; the API fills them.
    """

    thread_id: ThreadId
    goal: str
    topic: str = ""
    opened_by: str = ""
    assignee: str = ""
    """Who takes care of it; empty is nobody in particular."""
    is_archived: bool = False
    status: str
    shown_status: str = ""
    repository: str
    beside: tuple[str, ...] = ()
    branch: str
    agent: str
    template: str
    template_source: str = ""
    template_path: str = ""
    template_hash: str = ""
    plan_status: PlanStatus
    planning_failure: str = ""
    progress: Progress
    waiting_for: str = ""
    requests: tuple[OpenRequest, ...] = ()
    answered: dict[str, str] = {}
    questions: tuple[OpenQuestion, ...] = ()
    rules: tuple[Rule, ...] = ()
    decisions: tuple[ShownDecision, ...] = ()
    conflicts: tuple[ShownConflict, ...] = ()
    publication: Publication = Publication()
    publish_as: PublishAs | None = None
    """What the next publication is one pull request of by default; None where nobody can choose."""
    base: BaseState = BaseState()
    pull_request: WatchedPullRequest | None = None
    stacked: tuple[WatchedPullRequest, ...] = ()
    """The other pull requests of its stack, from the lowest up."""
    landing: Landing = Landing()
    set_up: SetUp = SetUp()
    plans: tuple[ProposedPlan, ...] = ()
    approved: int | None = None
    tasks: tuple[TaskView, ...] = ()
    work: TaskView | None = None
    candidates: tuple[TaskView, ...] = ()
    """The runs of tasks that several agents do at once, each as a task."""
    contests: tuple[ContestView, ...] = ()
    """The tables of these tasks."""
    sessions: tuple[SessionView, ...] = ()
    warnings: tuple[str, ...] = ()
    notices: tuple[ShownNotice, ...] = ()
    running: RunningView = RunningView()
    version: int = 1
    versions: tuple[AmendedVersion, ...] = ()
    amendments: tuple[AmendmentView, ...] = ()
    issue: IssueLink | None = None
    parent: ParentThread | None = None
    forked_from: ForkOrigin | None = None
    children: tuple[ChildThread, ...] = ()
    learnings: tuple[Learning, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    plan_file: str = ""
    signal_lines: dict[str, str] = {}
    summary: str = ""
    money: Money = Money()
    opened_at: datetime | None = None
    changed_at: datetime | None = None
    position: int = 0

    @property
    def works(self) -> tuple[TaskView, ...]:
        """All that is verified and has a gate: the tasks, or the work of a plan without any."""
        return self.tasks if self.work is None else (self.work, *self.tasks)

    @property
    def runs(self) -> tuple[TaskView, ...]:
        """All that an agent works on: the tasks or the work, and candidates of tasks."""
        return (*self.works, *self.candidates)

    @property
    def over_limits(self) -> tuple[str, ...]:
        """The spending limits that turns wait for: a person raises them, or stops what waits."""
        every = (self.sessions, *(run.sessions for run in self.runs))
        found = (s.waits_for for sessions in every for s in sessions if s.is_over_limit)
        return tuple(dict.fromkeys(found))
