"""`treadle show` and `treadle logs`."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import RenderableType

from cli.approvals import questions
from cli.core.client import Client, path_of
from cli.core.console import Json, emit, output, plain, quoted, rows
from cli.core.errors import RefusedError
from cli.core.long_lists import NO_LIMIT, ROOM, All
from cli.core.numbers import MAX_NUMBER
from cli.core.options import Follow
from cli.core.threads import Thread, connect_to
from cli.core.works import task_in
from cli.plans import amendment_drawing
from cli.plans import drawing as plan_drawing
from cli.tasks import contest_drawing, result_drawing, session_drawing
from cli.tasks import drawing as task_drawing
from cli.tasks.learnings import known
from cli.threads import merge_drawing, status
from cli.threads.task_lines import took
from cli.transcript.printing import before_newest, print_events
from domain.core.amounts import cost_words, dollars
from domain.core.approvals import Subject
from domain.core.task_names import task_name, typed_task
from domain.reading.money import LimitView
from domain.reading.views import TaskView, ThreadView

app = typer.Typer()

TaskName = Annotated[
    str | None, typer.Argument(metavar="TASK", help="Task id.", show_default=False)
]


Signals = Annotated[
    bool,
    typer.Option("--signals", help="Also print the lines that answer with the Temporal CLI."),
]


@app.command()
def show(
    thread: Thread = None,
    task: TaskName = None,
    signals: Signals = False,
    is_whole: All = False,
    as_json: Json = False,
) -> None:
    """Show a thread or one of its tasks, and how to respond.

    Of a plan of more than 30 tasks it prints a digest.
    """
    client, thread_id = connect_to(thread)
    if task is not None:
        task = task_in(client, thread_id, task)
        found = client.get(path_of("threads", thread_id, "tasks", task))
        emit(
            found, lambda row: _show_task(thread_id, TaskView.model_validate(row)), as_json=as_json
        )
    if task is None or signals:
        found = client.get(path_of("threads", thread_id))
        view = ThreadView.model_validate(found)
        if task is None:
            limits = [] if as_json else _limits_of(client, thread_id)
            emit(found, lambda _: _show_thread(view, limits, is_whole=is_whole), as_json=as_json)
        if signals and not as_json:
            _show_signals(view, task)


def _limits_of(client: Client, thread_id: str) -> list[LimitView]:
    """Return the spending limits of a thread's next turn; none where the engine tells none."""
    try:
        told = client.get(path_of("money", "threads", thread_id))
    except RefusedError:
        return []
    return [LimitView.model_validate(each) for each in told["limits"]]


def _show_thread(view: ThreadView, limits: list[LimitView], *, is_whole: bool) -> None:
    output.print(status.details(view, NO_LIMIT if is_whole else ROOM))
    for each in limits:
        whose = "this thread" if each.scope.name == view.thread_id else each.words
        spent = cost_words(each.spent, each.unknown) or dollars(0)
        words = f"limit: {spent} of {dollars(each.limit or 0)} for {whose}"
        output.print(plain(words, "dim"), soft_wrap=True)
    if view.work and view.work.request:
        output.print(task_drawing.gate(view.work))
        output.print(_change_of(view.thread_id, view.work), soft_wrap=True)
    for contest in view.contests:
        output.print(contest_drawing.contest(contest))
        for way in contest_drawing.ways(view.thread_id, contest):
            output.print(plain(f"  {way}", "cyan"), soft_wrap=True)
    output.print(session_drawing.drawn(view.sessions))
    all_by = "" if is_whole else f"treadle show {view.thread_id} --all"
    asked = {request.request.request_id for request in view.requests}
    for proposed in view.plans:
        if proposed.request.request_id in asked:
            output.print(plan_drawing.plan(proposed, all_by=all_by))
    for amendment in view.amendments:
        output.print(amendment_drawing.card(amendment, all_by=all_by))
    output.print(merge_drawing.merges(view), soft_wrap=True)
    for asked in view.questions:
        output.print(questions.drawn(asked))


def _change_of(thread_id: str, task: TaskView) -> RenderableType:
    """Say how the change of a task that waits at its gate is read."""
    return plain(f"  read the change: treadle diff {thread_id}{typed_task(task.task_id)}", "cyan")


def _show_signals(view: ThreadView, task: str | None) -> None:
    """Print the lines to paste, of all that waits or of one task."""
    for name, line in _signal_lines(view, task):
        output.print(rows(("", f"{name} with the Temporal CLI:"), "dim"))
        output.print(plain(line), soft_wrap=True)  # to be pasted: no line breaks


def _signal_lines(view: ThreadView, task: str | None) -> Iterator[tuple[str, str]]:
    """Yield what each line does, and the line; not those that are always possible."""
    for asked in view.questions:
        if task in {None, asked.task_id}:
            for label, line in asked.signal_lines.items():
                yield f"answer {label}", line
    for request in view.requests:
        if task in {None, request.task_id}:
            of_task = task_name(request.task_id) if request.task_id else ""
            what = of_task or f"the {request.request.subject.phrase}"
            yield from ((f"{choice} {what}", line) for choice, line in request.signal_lines.items())
    for name, line in view.signal_lines.items():
        if task is None and not name.startswith("message"):
            yield name, line


def _show_task(thread_id: str, task: TaskView) -> None:
    output.print(task_drawing.gate(task))
    if task.request is not None and task.request.subject is Subject.GATE:
        output.print(_change_of(thread_id, task), soft_wrap=True)
    if task.description:
        output.print(quoted(task.description))
    state = f"{task.status}  {task.doing or task.notes}"
    output.print(rows((state, f"run {task.run}, turns {task.turns}, branch {task.branch}")))
    if task.begins_with:
        begins = task.begins_with
        output.print(
            plain(f"starts from checkpoint {begins.commit[:12]} (position {begins.position})")
        )
    output.print(known(task))
    if task.is_plan_approved:
        output.print(task_drawing.plan_of(task))
    output.print(task_drawing.resources_of(task))
    output.print(task_drawing.costs_of(task))
    if task.merge_commit:
        output.print(plain(f"merged as {task.merge_commit}, took {took(task)}"))
    for attempt in task.attempts:
        for step in attempt.steps:
            if not step.passed:
                output.print(result_drawing.failed(attempt, step))
    if task.is_review_held:
        output.print(plain(f"? {status.review_ways(thread_id, task.task_id)}", "yellow"))


@app.command()
def logs(
    thread: Thread = None,
    follow: Follow = False,
    after: Annotated[
        int, typer.Option(min=0, max=MAX_NUMBER, help="Print only events after this position.")
    ] = 0,
    tail: Annotated[
        int | None,
        typer.Option("--tail", "-n", min=1, max=MAX_NUMBER, help="Print only the newest events."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the events of a thread, its tasks and its sessions."""
    if tail is not None and after:
        raise typer.BadParameter("give either --tail or --after, not both", param_hint="--tail")
    client, thread_id = connect_to(thread)
    path = path_of("threads", thread_id, "events")
    first = after if tail is None else before_newest(client, path, tail)
    print_events(client, path, first, follow=follow, as_json=as_json)
