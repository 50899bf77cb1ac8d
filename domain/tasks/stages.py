"""What is known of a run's stages beside its turns: its plan, a review, and lines that a person suggests."""

from domain.agents.agents import PromptName
from domain.core.ids import SessionId
from domain.core.suggestions import Suggestion
from domain.core.wire import Wire
from domain.plans.templates.template import PlanApproval
from domain.tasks.plans import TaskPlan
from domain.verification.reviews import Review


class Planning(Wire):
    """The planning of the task before its work: the newest plan, and the planner's next prompt.

    `number` counts proposals, `revisions` those that were sent back by the reviewer, `problems` the
    replies in a row that gave no verdict.
    """

    approval: PlanApproval
    reviewer: str = ""
    reviewer_model: str | None = None
    next_prompt: PromptName = PromptName.TASK_PLAN
    number: int = 0
    plan: TaskPlan | None = None
    is_proposed: bool = False
    is_approved: bool = False
    feedback: str = ""
    nudges: int = 0
    revisions: int = 0
    problems: int = 0
    problem: str = ""


class Reviewing(Wire):
    """The review that is being made: its session, its verdict once there is one, its turns without.

    `problem` is what the newest reply lacks, `work_ms` what its turns took.
    """

    session_id: SessionId
    review: Review | None = None
    missed: int = 0
    problem: str = ""
    work_ms: int = 0


class Editing(Wire):
    """Suggestions of a person that are being applied: who accepted them, and the how-manieth of the run it is."""

    key: str
    number: int
    by: str
    suggestions: tuple[Suggestion, ...] = ()
