"""What the tools take, as models: the schemas that clients read are made of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_KEY = 100
MAX_POSITION = 2**53 - 1
MAX_PIECE = 60_000
"""Characters of a diff or of events that one call gives at most."""

Thread = Annotated[
    str, Field(min_length=1, max_length=300, description="Thread id, or a unique part of it.")
]
Task = Annotated[str, Field(min_length=1, max_length=100, description="Task id, like `task-1`.")]
Key = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=MAX_KEY,
        description="Calls with the same key count as one call. Without a key, identical arguments within a "
        "minute do.",
    ),
]
Piece = Annotated[int, Field(ge=500, le=MAX_PIECE, description="Most characters to return.")]


class Arguments(BaseModel):
    """Base of what tools take."""

    model_config = ConfigDict(extra="forbid")


class Goal(Arguments):
    """Base of proposals."""

    goal: Annotated[str, Field(min_length=1, max_length=10_000, description="The goal.")]
    repository: Annotated[
        str | None,
        Field(
            max_length=4096,
            description="Folder of the git repository, or its URL with @BRANCH. Default: the folder that the "
            "server was started in.",
        ),
    ] = None
    agent: Annotated[str | None, Field(max_length=200, description="Agent profile.")] = None
    model: Annotated[str | None, Field(max_length=200, description="Model of that agent.")] = None
    template: Annotated[str | None, Field(max_length=200, description="Plan template.")] = None
    idempotency_key: Key = None


class Proposal(Goal):
    """A thread to open."""

    mode: Annotated[
        Literal["planned", "chat"],
        Field(
            description="`planned`: agents propose a plan that a person approves. `chat`: an agent begins to work."
        ),
    ] = "planned"


class Entry(Goal):
    """A goal to queue."""

    priority: Annotated[int, Field(ge=1, le=5, description="From 1 (first) to 5 (last).")] = 3
    after: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)]],
        Field(max_length=20, description="Ids of threads or queue entries that it waits for."),
    ] = []


# fmt: off
Status = Literal[
    "chat", "planning", "waiting", "running", "paused", "failed", "completed", "cancelled", "terminated"
]
# fmt: on


class Search(Arguments):
    """Which threads to list."""

    words: Annotated[str, Field(max_length=200, description="In the id, title or goal.")] = ""
    status: Status | None = None
    project: Annotated[
        str | None, Field(max_length=4096, description="A repository's path, or its last part.")
    ] = None
    archived: bool = False
    limit: Annotated[int, Field(ge=1, le=100)] = 20
    cursor: Annotated[
        int | None, Field(ge=1, le=MAX_POSITION, description="The `next` of the page before.")
    ] = None


class OfThread(Arguments):
    """A thread to read."""

    thread: Thread


class OfTask(Arguments):
    """A task to read."""

    thread: Thread
    task: Task


class OfDiff(Arguments):
    """A diff to read, in pieces."""

    thread: Thread
    task: Annotated[
        str | None, Field(max_length=100, description="Task id. Default: the whole branch.")
    ] = None
    offset: Annotated[
        int, Field(ge=0, le=MAX_POSITION, description="The `next` of the piece before.")
    ] = 0
    max_characters: Piece = 20_000


class OfEvents(Arguments):
    """Events to read, in pages."""

    thread: Thread
    task: Annotated[str | None, Field(max_length=100, description="Only of this task.")] = None
    after: Annotated[
        int, Field(ge=0, le=MAX_POSITION, description="Journal position; 0 is the start.")
    ] = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    max_characters: Piece = 20_000


Reason = Literal["needs_person", "task_ended", "over", "idle"]


class Wait(Arguments):
    """What to wait for."""

    thread: Thread
    until: Annotated[
        list[Reason],
        Field(
            min_length=1,
            max_length=4,
            description="`needs_person`: a person is asked. `task_ended`: a task has completed, failed or been "
            "cancelled. `over`: the thread has ended or failed. `idle`: none of its agents is working.",
        ),
    ] = ["needs_person", "over"]
    after: Annotated[
        int | None,
        Field(
            ge=1,
            le=MAX_POSITION,
            description="Count tasks that ended after this journal position: the `position` of an earlier "
            "answer. Default: now.",
        ),
    ] = None
    timeout_seconds: Annotated[float, Field(ge=0, le=3600)] = 50


class Message(Arguments):
    """What to say to an agent."""

    thread: Thread
    text: Annotated[str, Field(min_length=1, max_length=50_000)]
    task: Annotated[
        str | None,
        Field(max_length=100, description="Send it to this task's agent. Default: the thread's."),
    ] = None
    idempotency_key: Key = None


class Comment(Arguments):
    """A comment on a line of a task's diff."""

    thread: Thread
    task: Task
    path: Annotated[str, Field(min_length=1, max_length=1000, description="As the diff has it.")]
    line: Annotated[int, Field(ge=1, le=10_000_000)]
    side: Annotated[
        Literal["old", "new"], Field(description="The file before the change, or after it.")
    ] = "new"
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    idempotency_key: Key = None


class Choices(Arguments):
    """Where to look for what can be chosen."""

    repository: Annotated[str | None, Field(max_length=4096)] = None


class Nothing(Arguments):
    """No arguments."""
