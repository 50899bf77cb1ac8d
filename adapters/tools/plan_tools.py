"""The tools of a plan that runs: what the coordinator looks up and does, what tasks pass on."""

from adapters.tools.schemas import list_of, object_of, one_of, text
from adapters.tools.tool import Arguments, Tool
from domain.agents.agents import SessionRole
from domain.core.command import AgentCommand
from domain.core.ids import SessionId
from domain.tasks.agent_commands import (
    AbortByAgent,
    EnrichTask,
    ListPorts,
    ListTasks,
    PlanAmendment,
    Recommend,
    RecordLearning,
)
from domain.tasks.learnings import LearningKind
from domain.tasks.status import TaskFilter

_CHAT = frozenset({SessionRole.CHAT})


def _call(command: type[AgentCommand], session_id: SessionId, arguments: Arguments) -> AgentCommand:
    own = {name: value for name, value in arguments.items() if name != "session_id"}
    if command is RecordLearning and "kind" in own:
        own.setdefault("learning", own["kind"])  # agents use both names
    return command.model_validate({**own, "session_id": session_id})


RUNNING_TOOLS: tuple[Tool, ...] = (
    Tool(
        name="task_status",
        roles=frozenset({SessionRole.CHAT, SessionRole.PLANNER}),
        description=(
            "Look up where every task of the plan that runs stands now: status, what it waits for, what "
            "it does, with what was learned and what the person is asked. Of a plan of more than 60 tasks "
            "it gives the numbers and what needs attention; `status` and `after` list the others."
        ),
        schema=object_of(
            {
                "status": one_of(
                    list(TaskFilter), "List these tasks, 100 at a time; waiting: for a person."
                ),
                "after": text("List the tasks after this one: the last id of the page before."),
            }
        ),
        command=lambda session_id, arguments: _call(ListTasks, session_id, arguments),
        is_repeatable=True,
    ),
    Tool(
        name="list_ports",
        roles=_CHAT,
        description=(
            "Look up the ports of all tasks, with the numbers of those that were requested: to tell "
            "one task where another one's server listens."
        ),
        schema=object_of({}),
        command=lambda session_id, arguments: _call(ListPorts, session_id, arguments),
        is_repeatable=True,
    ),
    Tool(
        name="enrich_task",
        roles=_CHAT,
        description=(
            "Give a task that has not started something to know: what another task found out, a "
            "name to use, a pitfall. Its agent reads it with its task. It changes nothing of what "
            "the person approved: for that use propose_amendment."
        ),
        schema=object_of(
            {"task_id": text("The task."), "context": text("What its agent should know.")},
            ("task_id", "context"),
        ),
        command=lambda session_id, arguments: _call(EnrichTask, session_id, arguments),
    ),
    Tool(
        name="plan_amendment",
        roles=_CHAT,
        description=(
            "Have a planner work out how the running plan should change, where that is more than a "
            "task or two: it reads the repository and the state of all tasks, and proposes. For a "
            "small change use propose_amendment yourself."
        ),
        schema=object_of({"request": text("What should be different, and why.")}, ("request",)),
        command=lambda session_id, arguments: _call(PlanAmendment, session_id, arguments),
    ),
    Tool(
        name="recommend",
        roles=_CHAT,
        description=(
            "Advise the person to abort a task, retry it, pause the plan, or let it go on. They "
            "see it with your reason and the command that does it; nothing happens before."
        ),
        schema=object_of(
            {
                "action": one_of(["abort", "retry", "pause", "continue"], "What to do."),
                "task_id": text("The task; needed for abort and retry."),
                "reason": text("Why, in a sentence or two, with what you looked at."),
            },
            ("action", "reason"),
        ),
        command=lambda session_id, arguments: _call(Recommend, session_id, arguments),
    ),
    Tool(
        name="abort_task",
        roles=_CHAT,
        description=(
            "Abort a task whose work is wrong from the ground up, or useless by now, where this thread "
            "lets you: else it is refused, and you advise the person with recommend. What waits for "
            "the task is blocked until the person retries it. They see your reason."
        ),
        schema=object_of(
            {"task_id": text("The task."), "reason": text("Why, in a sentence or two.")},
            ("task_id", "reason"),
        ),
        command=lambda session_id, arguments: _call(AbortByAgent, session_id, arguments),
        is_harmless=False,
    ),
    Tool(
        name="record_learning",
        roles=frozenset({SessionRole.TASK, SessionRole.CHAT, SessionRole.PLANNER}),
        description=(
            "Record what you found out that tasks after yours should know: what worked, what was "
            "unexpected in this repository, what the next one needs. A task's is passed on when it "
            "completes, that of the thread's agent at once, while a plan runs. Short and concrete, with "
            "paths and names; nothing that the code says itself. Name in `used` the ids of kept "
            "learnings that helped you; a planner does only that, without a text."
        ),
        schema=object_of(
            {
                "learning": one_of(
                    list(LearningKind),
                    "worked: this way works; unexpected: not as one would think; next: the next "
                    "one should know.",
                ),
                "text": text("One thing, in a sentence or two."),
                "used": list_of(text("Such as l-0123456789."), "Kept learnings that helped."),
            },
        ),
        command=lambda session_id, arguments: _call(RecordLearning, session_id, arguments),
    ),
)
