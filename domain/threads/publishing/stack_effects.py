"""What a thread must have under way for its stack of pull requests, and what it is told of it."""

from domain.core.wire import Wire
from domain.forges.pull_requests import PullRequestDraft
from domain.forges.stacks import StackStep
from domain.threads.effects import ThreadEffect
from domain.threads.publishing.publication import PushedBranch


class PlanStack(ThreadEffect):
    """Look where tasks are in the thread's branch, each by the commit that brought it in."""

    kind = "stack"

    number: int
    tasks: dict[str, str]

    @property
    def name(self) -> str:
        """How often publishing was asked for."""
        return str(self.number)


class EndStackPlan(Wire):
    """The tasks in the order of the branch; or why that cannot be published so."""

    number: int
    pushed: PushedBranch | None = None
    tasks: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    failure: str = ""


class MoveLayer(ThreadEffect):
    """Take the next step of the stack; `draft` is what a pull request is to say."""

    kind = "layer"

    number: int
    step: StackStep
    draft: PullRequestDraft
    told: str

    @property
    def name(self) -> str:
        """Which step of which layer."""
        step = self.step
        where = f"{step.onto_commit or step.target}:{step.commit}"
        return f"{self.number}:{step.kind}:{step.task_id}:{where}:{self.told}"


class EndLayer(Wire):
    """What a step gave: the commits, the pull request, or why a person must look."""

    step: StackStep
    told: str = ""
    commit: str = ""
    begins_at: str = ""
    pull_request: int = 0
    url: str = ""
    news: str = ""
    failure: str = ""
