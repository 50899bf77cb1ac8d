"""The tools that read: threads, tasks, diffs, events, the queue, and what a proposal can name."""

from typing import Any

from cli.core.client import Client, path_of
from cli.core.threads import pick
from cli.core.works import task_in
from cli.mcp import answers, arguments
from cli.mcp.answers import EventRow, Need, Step, TaskRow
from cli.mcp.tool import Call, cut
from domain.agents.updates import MESSAGE, TOOL_CALLS, kind_of, text_of
from domain.core.status_words import ENDED, FAILED
from domain.plans.plan import PlannedTask
from domain.reading.views import TaskView, ThreadView

MAX_LINE = 500
MAX_TEXT = 4_000
MAX_TASKS = 200
MAX_FILES = 200
MAX_OUTPUT = 3_000


def view_of(client: Client, thread: str) -> ThreadView:
    """Return a thread by its whole id."""
    return ThreadView.model_validate(client.get(path_of("threads", thread)))


def needs_of(view: ThreadView) -> list[Need]:
    """Return what a person is asked in a thread."""
    found = [
        Need(kind=str(r.request.subject), text=cut(r.request.title, MAX_LINE), task=r.task_id)
        for r in view.requests
    ]
    for asked in view.questions:
        words = cut(asked.question.phrase, MAX_LINE)
        found.append(Need(kind=str(asked.question.kind), text=words, task=asked.task_id))
    found += [
        Need(kind="decision", text=cut(one.question, MAX_LINE), task=None) for one in view.decisions
    ]
    found += [Need(kind="limit", text=cut(each, MAX_LINE), task=None) for each in view.over_limits]
    if view.waiting_for and not found:
        found.append(Need(kind="thread", text=cut(view.waiting_for, MAX_LINE), task=None))
    return found


def state_of(call: Call, view: ThreadView) -> answers.ThreadState:
    """Return how a thread stands, without what only a person needs to decide."""
    return answers.ThreadState(
        thread=view.thread_id,
        title=cut(view.topic, MAX_LINE),
        goal=cut(view.goal, MAX_TEXT),
        status=view.shown_status or view.status,
        opened_by=view.opened_by,
        repository=view.repository,
        branch=view.branch,
        agent=view.agent,
        plan=_plan(view),
        tasks=[_row(task) for task in view.works[:MAX_TASKS]],
        needs=needs_of(view),
        warnings=[cut(each, MAX_LINE) for each in view.warnings[:20]],
        is_working=is_working(view),
        is_over=is_over(view),
        summary=cut(view.summary, MAX_TEXT),
        url=call.page_of(view.thread_id),
        position=view.position,
    )


def is_over(view: ThreadView) -> bool:
    """Tell whether a thread has ended or failed."""
    return view.status in {*ENDED, FAILED}


def is_working(view: ThreadView) -> bool:
    """Tell whether an agent of a thread is working."""
    return any(session.is_working for session in view.sessions) or any(
        task.status.is_at_work for task in view.works
    )


def _plan(view: ThreadView) -> str:
    newest = max(view.plans, key=lambda one: one.revision, default=None)
    if newest is None:
        return ""
    plan = newest.plan
    is_asked = any(r.request == newest.request for r in view.requests)
    how = "waits for approval" if is_asked else str(view.plan_status)
    lines = (
        f"Revision {newest.revision} ({how}): {plan.goal}",
        plan.summary or plan.approach,
        *(_planned(task) for task in plan.tasks if is_asked),
    )
    return cut("\n".join(filter(None, lines)), MAX_TEXT)


def _planned(task: PlannedTask) -> str:
    """Return a task of a plan that a person is asked about, in a line: a plan that runs has its tasks beside it."""
    after = f" (after {', '.join(task.depends_on)})" if task.depends_on else ""
    return cut(f"- {task.id}{after}: {' '.join(task.title.split())}", MAX_LINE)


def _row(task: TaskView) -> TaskRow:
    return TaskRow(
        task=task.task_id,
        title=cut(task.title, MAX_LINE),
        status=str(task.status),
        doing=cut(task.doing, MAX_LINE),
        depends_on=[str(name) for name in task.depends_on],
        verification=_verdict(task),
    )


def _verdict(task: TaskView) -> str:
    newest = task.attempts[-1] if task.attempts else None
    if newest is None:
        return "none yet"
    if not newest.is_finished:
        return f"attempt {newest.attempt} is running"
    failed = [cut(s.label or s.step_id, 80) for s in newest.steps if s.is_required and not s.passed]
    if failed or newest.held:
        return f"attempt {newest.attempt} failed: {', '.join(failed) or cut(newest.held, MAX_LINE)}"
    return f"attempt {newest.attempt} passed"


def get_thread(call: Call, given: arguments.OfThread) -> answers.ThreadState:
    """Read how a thread stands."""
    thread = pick(call.client, given.thread)
    return state_of(call, view_of(call.client, thread))


def get_task(call: Call, given: arguments.OfTask) -> answers.TaskState:
    """Read a task and its newest verification."""
    thread = pick(call.client, given.thread)
    name = task_in(call.client, thread, given.task)
    row = call.client.get(path_of("threads", thread, "tasks", name))
    task = TaskView.model_validate(row)
    newest = task.attempts[-1] if task.attempts else None
    return answers.TaskState(
        task=task.task_id,
        title=cut(task.title, MAX_LINE),
        status=str(task.status),
        doing=cut(task.doing, MAX_LINE),
        description=cut(task.description, MAX_TEXT),
        attempt=newest.attempt if newest else 0,
        steps=[
            Step(
                label=cut(step.label or step.step_id, MAX_LINE),
                passed=step.passed,
                is_required=step.is_required,
                output=step.output[-MAX_OUTPUT:],
            )
            for step in (newest.steps if newest else ())
        ],
        report=cut(task.report, MAX_TEXT),
        feedback=cut(task.feedback, MAX_TEXT),
        branch=task.branch,
        files_changed=_files(task),
        doubts=[cut(each, MAX_LINE) for each in task.doubts],
    )


def _files(task: TaskView) -> list[str]:
    files = task.snapshot.files if task.snapshot else ()
    return [cut(path, MAX_LINE) for path in files[:MAX_FILES]]


def read_diff(call: Call, given: arguments.OfDiff) -> answers.Part:
    """Read a piece of a patch."""
    thread = pick(call.client, given.thread)
    if given.task is None:
        path = path_of("threads", thread, "changes", "diff")
    else:
        path = path_of("threads", thread, "tasks", task_in(call.client, thread, given.task), "diff")
    return part_of(call.client.text(path), given.offset, given.max_characters)


def part_of(text: str, offset: int, limit: int) -> answers.Part:
    """Return a piece of a text, up to the end of a line where there is one."""
    piece = text[offset : offset + limit]
    end = offset + len(piece)
    if end < len(text) and "\n" in piece:
        piece = piece[: piece.rindex("\n") + 1]
        end = offset + len(piece)
    return answers.Part(text=piece, next=end if end < len(text) else None, characters=len(text))


def read_events(call: Call, given: arguments.OfEvents) -> answers.EventPage:
    """Read a page of events, in words."""
    thread = pick(call.client, given.thread)
    query: dict[str, str | int] = {"after": given.after, "limit": given.limit}
    if given.task is not None:
        query["stream"] = f"{thread}/{task_in(call.client, thread, given.task)}"
    page = call.client.get(path_of("threads", thread, "events"), **query)
    rows: list[EventRow] = []
    room, after = given.max_characters, given.after
    for journaled in page["events"]:
        row = _event(journaled, thread)
        if row is not None:
            room -= len(row.text)
            if room < 0 and rows:
                return answers.EventPage(events=rows, after=after, has_more=True)
            rows.append(row)
        after = journaled["position"]
    has_more = len(page["events"]) == given.limit
    return answers.EventPage(events=rows, after=after, has_more=has_more)


def _event(journaled: dict[str, Any], thread: str) -> EventRow | None:
    event, text = journaled["event"], journaled.get("text")
    body = event["body"]
    words = f"{text['summary']}\n{text['details']}" if text else _update(body)
    if not words.strip():
        return None
    return EventRow(
        position=journaled["position"],
        at=event["at"],
        of=str(event["stream"]).removeprefix(thread).lstrip("/") or "thread",
        kind=body["kind"],
        text=cut(words.strip(), MAX_TEXT),
    )


def _update(body: dict[str, Any]) -> str:
    """Return what an agent said or began to do; nothing of the rest of what it streams."""
    if body["kind"] != "agent_update":
        return ""
    update = body["update"]
    kind = kind_of(update)
    if kind == MESSAGE:
        return text_of(update.get("content"))
    return f"tool: {update['title']}" if kind in TOOL_CALLS and update.get("title") else ""


def list_threads(call: Call, given: arguments.Search) -> answers.ThreadPage:
    """List threads."""
    query: dict[str, str | int] = {
        "limit": given.limit,
        "archived": "true" if given.archived else "false",
    }
    wanted = {"q": given.words, "status": given.status, "project": given.project}
    query |= {name: value for name, value in wanted.items() if value}
    if given.cursor is not None:
        query["after"] = given.cursor
    page = call.client.get("/v1/threads", **query)
    rows = [
        answers.ThreadRow(
            thread=row["thread_id"],
            title=cut(row["title"] or row["goal"], MAX_LINE),
            status=row["shown_status"] or row["status"],
            project=row["project"],
            waiting_for=cut(row["waiting_for"], MAX_LINE),
            opened_by=row["opened_by"],
        )
        for row in page["threads"]
    ]
    return answers.ThreadPage(threads=rows, next=page["next"])


def get_queue(call: Call, _given: arguments.Nothing) -> answers.QueueState:
    """Read the queue."""
    view = call.client.get("/v1/queue")
    rows = [
        answers.EntryRow(
            entry=each["entry"]["entry_id"],
            title=cut(each["entry"]["title"], MAX_LINE),
            state=each["entry"]["state"],
            project=each["entry"]["project"],
            priority=each["entry"]["priority"],
            why=cut(each["why"], MAX_LINE),
            queued_by=each["entry"]["by"],
        )
        for each in view["entries"][:MAX_TASKS]
    ]
    return answers.QueueState(entries=rows, is_held=view["is_held"], running=view["running"])


def list_choices(call: Call, given: arguments.Choices) -> answers.ChoiceList:
    """List what a proposal can name."""
    folder = given.repository or call.folder
    query: dict[str, str | int] = {"repository": folder} if folder else {}
    agents = call.client.get("/v1/agents", **query)["agents"]
    templates = call.client.get("/v1/templates", **query)["templates"]
    return answers.ChoiceList(
        agents=[answers.Choice(name=a["name"], about=cut(a["title"], MAX_LINE)) for a in agents],
        templates=[
            answers.Choice(name=t["choice"], about=cut(t["description"], MAX_LINE))
            for t in templates
        ],
    )
