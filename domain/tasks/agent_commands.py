"""What agents report by their tools; no tool of theirs approves anything."""

from typing import Annotated, Any, Literal

from pydantic import Field

from domain.core.command import MAX_GOAL, MAX_NAME, MAX_TEXT, AgentCommand
from domain.core.ids import TaskId
from domain.tasks.status import TaskFilter

MAX_LEARNING = 2_000


class ProposePlan(AgentCommand):
    """A planner's proposal, as it came; `doubts` are what in it can't be used here."""

    door = "propose_plan"

    plan: Any
    doubts: tuple[str, ...] = ()


class Conclusion(AgentCommand):
    """Base of what an agent ends its work with.

    One that `reads_answers` is refused beside a decision that its agent asked for and has not read
    the answer to. Our tools send no other; those in histories of before are taken as they were.
    """

    reads_answers: bool = False


class ReportDone(Conclusion):
    """The agent says that its work is done."""

    door = "report_done"

    summary: str = Field(default="", max_length=MAX_TEXT)


class ReportBlocked(Conclusion):
    """The agent can't go on without a person."""

    door = "report_blocked"

    reason: str = Field(min_length=1, max_length=MAX_TEXT)


class RequestPort(AgentCommand):
    """The agent asks for a declared port."""

    door = "request_port"

    port_id: str = Field(max_length=MAX_NAME)


class SuggestPlanning(AgentCommand):
    """A chat's agent thinks that the work should be planned first; a person confirms."""

    door = "suggest_planning"

    reason: str = Field(min_length=1, max_length=MAX_GOAL)
    goal: str | None = Field(default=None, max_length=MAX_GOAL)


class InvitePlanner(AgentCommand):
    """A planner wants another agent's plan beside its own."""

    door = "invite_planner"

    agent: str = Field(max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class ProposeAmendment(AgentCommand):
    """A proposal to change the running plan, as it came; see domain/threads/amending/amendment.py.

    `doubts` are what in it can't be used here.
    """

    door = "propose_amendment"

    amendment: Any
    doubts: tuple[str, ...] = ()


class PlanAmendment(AgentCommand):
    """A chat's agent wants a planner to work out how the running plan should change."""

    door = "plan_amendment"

    request: str = Field(min_length=1, max_length=MAX_GOAL)


class ListTasks(AgentCommand):
    """Where the tasks of the plan stand, with learnings and open questions; changes nothing.

    With a `status` or an `after` it is one page of the tasks: of that status, behind that one.
    """

    door = "task_status"

    status: TaskFilter | None = None
    after: TaskId | None = Field(default=None, max_length=MAX_NAME)


class ListPorts(AgentCommand):
    """The ports of all tasks; changes nothing."""

    door = "list_ports"


class EnrichTask(AgentCommand):
    """Something that a task which has not started should know."""

    door = "enrich_task"

    task_id: TaskId = Field(max_length=MAX_NAME)
    context: str = Field(min_length=1, max_length=MAX_GOAL)


class Recommend(AgentCommand):
    """Advice to the person: abort a task, retry it, pause, or go on."""

    door = "recommend"

    action: Literal["abort", "retry", "pause", "continue"]
    task_id: TaskId | None = Field(default=None, max_length=MAX_NAME)
    reason: str = Field(min_length=1, max_length=MAX_GOAL)


class AbortByAgent(AgentCommand):
    """The thread's agent aborts a task, where the thread allows that."""

    door = "abort_task"

    task_id: TaskId = Field(max_length=MAX_NAME)
    reason: str = Field(min_length=1, max_length=MAX_GOAL)


class RecordLearning(AgentCommand):
    """What the agent of a task, or of the thread, found out; or which kept learnings, by id, helped it."""

    door = "record_learning"

    learning: Literal["worked", "unexpected", "next"] = "next"
    text: str = Field(default="", max_length=MAX_LEARNING)
    used: tuple[Annotated[str, Field(max_length=MAX_NAME)], ...] = Field(default=(), max_length=20)


class ProposeTaskPlan(Conclusion):
    """A task planner's proposal, as it came; see domain/tasks/."""

    door = "propose_task_plan"

    plan: Any


class SubmitReview(AgentCommand):
    """A reviewer's verdict and findings on a task's work, as they came; see domain/reviews.py."""

    door = "submit_review"

    review: Any
