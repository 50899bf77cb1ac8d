"""What activities take: one model each, carrying the events that must be journaled before it acts.

A workflow keeps its new events in an outbox. Whatever activity it starts next carries them, and a
worker journals them before the activity's own work (adapters/temporal/), so an event costs no
activity of its own where one is under way anyhow. Events are carried again until a carrier has
completed; the journal takes each once, by its id.
"""

from domain.agents import TurnInput
from domain.checkouts import Recipe
from domain.events import Event, Headline
from domain.ids import EventId, SessionId, StreamId, TaskId, ThreadId
from domain.templates.template import PlanTemplate
from domain.verification import StepResult, VerificationStep
from domain.wire import Wire
from domain.workspaces import KeptFiles, RepositoryFacts, WorkspaceSpec


class Effect(Wire):
    """Base of every activity input: the events and headlines to journal first.

    `order` grows with every effect of a workflow, over continue-as-new as well: of two effects on
    one workspace the one with the larger (order, attempt) is the newer, and the other is stale. Where
    several workflows work in one, `grant` orders them.
    """

    events: tuple[Event, ...] = ()
    headlines: tuple[Headline, ...] = ()
    order: int = 0
    grant: int = 0


class JournalCall(Effect):
    """Nothing but the events."""


class OpenThreadCall(Effect):
    """Look at a repository, make the thread's branch, take the snapshot of its template.

    The branch begins at `base`, a child's at its parent's branch; without one, where the user stands.
    A child has its parent's template, `inherited`: no file is read for it. The repository of the demo
    is made first.
    """

    thread_id: ThreadId
    repository: str
    agent: str
    template: str | None = None
    inherited: PlanTemplate | None = None
    base: str | None = None
    is_demo: bool = False


class OpenedThread(Wire):
    """What a thread starts from; `begins_at` is the commit that its branch began at."""

    facts: RepositoryFacts
    template: PlanTemplate
    branch: str
    host: str
    begins_at: str = ""


class TurnCall(Effect):
    """Run one turn."""

    turn: TurnInput


class StepCall(Effect):
    """Run one verification step; `key`, the id of its event, makes a finished one findable.

    With a `commit`, given for the first step of an attempt, the workspace holds exactly its files
    when the step starts: verified is what is shown and merged, and not what came after it. A step
    that leaves other files of the commit `subject` behind, or during which they changed, has failed.

    With a `recipe` it runs on a clean checkout of `subject`, which goes with the attempt's last step.
    """

    key: EventId
    stream: StreamId
    attempt: int
    step: VerificationStep
    workspace: WorkspaceSpec
    commit: str | None = None
    subject: str | None = None
    ports: dict[str, int] = {}
    recipe: Recipe | None = None
    is_last: bool = False


class StepAnswer(Wire):
    """The result of one step."""

    result: StepResult


class LeasePortCall(Effect):
    """Find a free port for a task; the same one when asked again."""

    owner: str
    port_id: str


class SettleCall(Effect):
    """End a run of a task: merge what was accepted, then release everything it held.

    `commit` is None for a run that failed or was aborted: then nothing is merged. `key` becomes the
    merge commit's trailer `Treadle-Merge`; a merge that has it is not made again. A linear one moves
    the branch forward to the commit where it can, without a merge commit.

    Where the branch has moved since, the merge makes a tree that nobody verified: `steps` run on it
    first (features.md E1; reliability I10), and what they give is journaled on `stream`; reviews by
    agents are not among them. They run on a clean checkout by the `recipe`, and also
    where the commit itself was not verified by them: a child thread's, by `is_verified`.

    `earlier` are the workspaces of the task's earlier runs: one stays where its repository was away
    or not trusted when its run was settled. `keeps` is whose version of which conflicting
    files a person chose; a conflict in any others merges nothing.
    """

    key: str
    task_id: TaskId
    workspace: WorkspaceSpec
    sessions: tuple[SessionId, ...] = ()
    commit: str | None = None
    branch: str
    is_linear: bool = False
    run: int = 1
    stream: StreamId = StreamId("")
    steps: tuple[VerificationStep, ...] = ()
    port_ids: tuple[str, ...] = ()
    recipe: Recipe = Recipe()
    earlier: tuple[WorkspaceSpec, ...] = ()
    is_verified: bool = True
    keeps: KeptFiles | None = None
    title: str = ""
    trailers: tuple[tuple[str, str], ...] = ()


class CloseSessionCall(Effect):
    """End a session's agent process and release its workspace, where it has one of its own."""

    session_id: SessionId
    workspace: WorkspaceSpec | None


class CodeCheck(Wire):
    """Is this code the one for this workflow, request, choice and content?"""

    workflow_id: str
    request_id: str
    choice: str
    content_hash: str
    code: str
