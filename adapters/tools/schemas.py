"""The JSON schemas of what agents write down: steps, tasks, decisions, plans."""

from typing import Any

from domain.forges.policy import AutoMerge, PublishAs, Response
from domain.forges.pull_requests import MergeMethod
from domain.plans.plan import Mode, RunsAs, TaskPlanApproval
from domain.plans.templates.template import BranchStrategy, GatePolicy
from domain.threads.amending.amendment import ChangeKind
from domain.verification.steps import StepType

AGENTS_STEPS = [
    StepType.COMMAND,
    StepType.SCRIPT,
    StepType.FILE_EXISTS,
    StepType.HTTP_HEALTH,
    StepType.REVIEW_AGENT,
]


def object_of(
    properties: dict[str, Any], required: tuple[str, ...] = (), description: str = ""
) -> dict[str, Any]:
    """Return the schema of an object."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if description:
        schema["description"] = description
    if required:
        schema["required"] = list(required)
    return schema


def text(description: str) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description}


def list_of(items: dict[str, Any], description: str) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": items, "description": description}


def one_of(names: list[Any], description: str) -> dict[str, Any]:
    """Return the schema of one of some words."""
    return {"type": "string", "enum": [str(name) for name in names], "description": description}


STEP = object_of(
    {
        "type": one_of(
            AGENTS_STEPS,
            "command: a shell line run in the task's checkout, passes with exit code 0; "
            "script: a file of the repository with arguments, without a shell; "
            "file_exists: a path is there; http_health: a URL of a declared port answers 2xx; "
            "review_agent: another agent reads the change and approves it, or sends it back.",
        ),
        "label": text("A few words for people, like 'unit tests'."),
        "command": text("For command and script."),
        "path": text("For file_exists, relative to the repository."),
        "url": text("For http_health; a declared port is written ${ports.ID}."),
        "prompt": text("For review_agent: what to look at in particular."),
        "agent": text("For review_agent: who reviews; left out: as the person has set it."),
        "model": text("For review_agent: the reviewer's model."),
        "required": {"type": "boolean", "description": "False: a failure is only noted."},
        "timeout": {"type": "integer", "description": "Milliseconds; 600000 unless given."},
        "parallel_group": text(
            "For command and script steps next to each other that need nothing of one another and "
            "write no file in common: those with the same name run at the same time."
        ),
        "keep": list_of(
            {"type": "string"},
            "Globs of PNG, JPEG or WebP files that a command or script leaves in the checkout, "
            "like screenshots of the page: people see them beside the step.",
        ),
        "picture": {
            "type": "boolean",
            "description": "For http_health: true keeps a picture of the page at the URL, for people.",
        },
    },
    ("type",),
    "How Treadle itself checks the work. Must run on a fresh checkout, without a person.",
)

TASK = object_of(
    {
        "id": text("Short, lowercase, unique: letters, digits, dashes, like 'parse-dates'."),
        "title": text("One line that says what is there when the task is done."),
        "description": text(
            "All that an agent needs that knows nothing of this conversation: what to build, "
            "where, what not to touch, how to see that it works."
        ),
        "mode": one_of(list(Mode), "What kind of work it is."),
        "runs_as": one_of(
            list(RunsAs),
            "thread: a part so large that it gets a thread and a plan of its own. Rare.",
        ),
        "depends_on": list_of(
            {"type": "string"},
            "Ids of the tasks whose merged work this one needs. Tasks without a path between them "
            "run at the same time, in checkouts of their own: name a dependency where two tasks "
            "would change the same lines.",
        ),
        "area": list_of(
            {"type": "string"}, "Globs of the files that it will likely change, like 'src/auth/**'."
        ),
        "repositories": list_of(
            {"type": "string"},
            "Names of the repositories beside this one that it changes. Left out: all of them. What it "
            "changes in others is not kept.",
        ),
        "verification": list_of(STEP, "Steps of this task, after those of the template."),
        "skip_steps": list_of(
            {"type": "string"},
            "Names of steps of the template that do not fit this task, like 'Lint' for one that "
            "writes only text. The person is told.",
        ),
        "ports": list_of(
            object_of({"id": text("Like 'web'."), "description": text("For what.")}, ("id",)),
            "Network ports that its programs listen on; the agent asks for the number.",
        ),
        "terminals": list_of(
            {"type": "string"},
            "Labels of long-lived processes that must run when the work is verified, like 'dev "
            "server': the agent starts them in terminals of these names.",
        ),
        "max_retries": {
            "type": "integer",
            "minimum": 0,
            "maximum": 10,
            "description": "How many attempts the task has, the first one included.",
        },
        "plan_approval": one_of(
            list(TaskPlanApproval),
            "Plan this task itself before it starts: user: a person approves that plan; auto: an "
            "agent does; none: it is not planned. Left out: as the template says.",
        ),
        "gate": one_of(list(GatePolicy), "ask: a person accepts the verified work; auto: nobody."),
        "decision_id": text("The decision that must be made before this task starts."),
        "max_turns": {"type": "integer", "description": "How many turns its agent may take."},
        "max_tokens": {"type": "integer", "description": "How many tokens its agent may take."},
        "max_usd": {"type": "number", "description": "What the task may cost, in USD."},
        "allowed_tools": list_of({"type": "string"}, "The only tools that its agent may use."),
        "denied_tools": list_of({"type": "string"}, "Tools that its agent may not use."),
    },
    ("id", "title", "description"),
)

DECISION = object_of(
    {
        "id": text("Short, lowercase, unique."),
        "header": text("Its subject in at most 12 characters, like 'Database'."),
        "question": text("One question that only a person can answer."),
        "options": list_of(
            object_of(
                {"label": text("The choice."), "description": text("Its consequence.")},
                ("label",),
            ),
            "Two to four choices.",
        ),
        "multi_select": {"type": "boolean", "description": "Whether several may be chosen."},
        "safe_default": text("The label that does no harm, taken when nobody answers in time."),
    },
    ("id", "question", "options"),
)

PLAN = object_of(
    {
        "goal": text("What the person wants, in one or two sentences."),
        "approach": text("How the tasks together reach it, and what they share."),
        "summary": text("For people: what will be different. Needed when there are no tasks."),
        "considerations": list_of(
            {"type": "string"}, "What the person should know before approving."
        ),
        "key_risk": text("The one thing most likely to go wrong."),
        "tasks": list_of(TASK, "The tasks. None for work that one agent does best in one go."),
        "decisions": list_of(DECISION, "Open questions; only tasks that name one wait for it."),
        "verification": list_of(STEP, "For a plan without tasks only."),
        "git": object_of(
            {
                "branch_strategy": one_of(
                    list(BranchStrategy), "shared: all tasks on one branch, one after the other."
                ),
                "branch_prefix": text("How the names of the tasks' branches begin."),
                "pr_target": text("The branch that a pull request is against."),
                "open_pr": {
                    "type": "boolean",
                    "description": "Whether a pull request is opened at the end.",
                },
                "task_merge_method": one_of(
                    list(MergeMethod), "How tasks come into the thread's branch."
                ),
                "merge_method": one_of(list(MergeMethod), "How the forge merges the pull request."),
                "publish": one_of(list(PublishAs), "What is one pull request."),
                "on_failed_check": one_of(list(Response), "What follows a failed check of it."),
                "on_review_comment": one_of(list(Response), "What follows a comment on it."),
                "authors": list_of({"type": "string"}, "Whose comments may cause a rework."),
                "max_reworks": {"type": "integer", "description": "How many reworks at most."},
                "max_rework_usd": {
                    "type": "number",
                    "description": "What its reworks may cost together, in USD.",
                },
                "auto_merge": one_of(list(AutoMerge), "Whether the forge merges by itself."),
                "delete_branch": {
                    "type": "boolean",
                    "description": "Whether the branch is deleted on the forge after the merge.",
                },
            },
            description="Only what must differ from the project's conventions; the person is told.",
        ),
    },
    ("goal", "approach", "tasks"),
)

CHANGE = object_of(
    {
        "change": one_of(
            list(ChangeKind),
            "add: a new task; modify: fields of one that has not started, the others stay; remove: "
            "one that has not started; reorder: these come first of all that wait; abort: stop one, "
            "the only change of a running task.",
        ),
        "task_id": text("The task that is modified, removed or aborted."),
        "task": {
            **TASK,
            "required": [],
            "description": "add: the whole task; modify: the fields that change.",
        },
        "order": list_of({"type": "string"}, "reorder: ids, the first one first."),
        "reason": text("A few words behind the change, like 'superseded by t7'."),
    },
    ("change",),
)

AMENDMENT = object_of(
    {
        "why": text("Why the plan should change, in a sentence, for the person who approves it."),
        "base_version": {
            "type": "integer",
            "description": "The version of the plan that you know, as you were told; 1 at first.",
        },
        "changes": list_of(CHANGE, "All of them happen, or none."),
        "decisions": list_of(
            DECISION, "New questions to the person, for which tasks of the changes wait."
        ),
    },
    ("why", "base_version", "changes"),
)

TASK_PLAN = object_of(
    {
        "summary": text("How the task is done, in a few sentences."),
        "steps": list_of(
            {"type": "string"}, "What to change and where, in order, and how to see that it works."
        ),
        "risks": list_of({"type": "string"}, "What could go wrong."),
    },
    ("steps",),
)
