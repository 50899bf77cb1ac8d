"""What the tools give, as models: the schemas that clients read are made of them."""

from typing import Literal

from pydantic import BaseModel


class Given(BaseModel):
    """Base of what tools give."""


class Opened(Given):
    """A thread that was opened."""

    thread: str
    opened_by: str
    url: str
    next: str


class Queued(Given):
    """An entry that was queued; its thread will have the same id."""

    entry: str
    queued_by: str
    next: str


class Said(Given):
    """A message that an agent gets."""

    thread: str
    task: str | None
    said_by: str
    answer: str


class ThreadRow(Given):
    """A thread in a list."""

    thread: str
    title: str
    status: str
    project: str
    waiting_for: str
    opened_by: str


class ThreadPage(Given):
    """A page of threads, most recently changed first."""

    threads: list[ThreadRow]
    next: int | None


class Need(Given):
    """What a person is asked; no tool answers it."""

    kind: str
    text: str
    task: str | None


class TaskRow(Given):
    """A task in its plan."""

    task: str
    title: str
    status: str
    doing: str
    depends_on: list[str]
    verification: str


class ThreadState(Given):
    """A thread: its plan, its tasks, and what a person is asked."""

    thread: str
    title: str
    goal: str
    status: str
    opened_by: str
    repository: str
    branch: str
    agent: str
    plan: str
    tasks: list[TaskRow]
    needs: list[Need]
    warnings: list[str]
    is_working: bool
    is_over: bool
    summary: str
    url: str
    position: int


class Step(Given):
    """A step of a verification."""

    label: str
    passed: bool
    is_required: bool
    output: str


class TaskState(Given):
    """A task: what it is to do, and how its newest verification went."""

    task: str
    title: str
    status: str
    doing: str
    description: str
    attempt: int
    steps: list[Step]
    report: str
    feedback: str
    branch: str | None
    files_changed: list[str]
    doubts: list[str]


class Part(Given):
    """A piece of a text; `next` is the offset of the next one."""

    text: str
    next: int | None
    characters: int


class EventRow(Given):
    """An event in words."""

    position: int
    at: str
    of: str
    kind: str
    text: str


class EventPage(Given):
    """A page of events; `after` is the cursor of the next one."""

    events: list[EventRow]
    after: int
    has_more: bool


class Waited(Given):
    """Why a wait ended, and how the thread stands then."""

    reason: Literal["needs_person", "task_ended", "over", "idle", "timeout"]
    ended_tasks: list[str]
    state: ThreadState


class EntryRow(Given):
    """An entry of the queue."""

    entry: str
    title: str
    state: str
    project: str
    priority: int
    why: str
    queued_by: str


class QueueState(Given):
    """The queue."""

    entries: list[EntryRow]
    is_held: bool
    running: int


class Choice(Given):
    """Something that a proposal can name."""

    name: str
    about: str


class ChoiceList(Given):
    """What a proposal can name."""

    agents: list[Choice]
    templates: list[Choice]
