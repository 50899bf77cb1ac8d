"""Commands that look: show, diff, logs."""

from contextlib import suppress
from typing import Annotated, Any

import typer

from cli import (
    amendment_pages,
    merge_pages,
    questions,
    render,
    result_pages,
    session_pages,
    standing,
    task_pages,
)
from cli.client import Client, path_of
from cli.console import Json, load_settings, output, plain, print_json, quoted, rows
from cli.follow import followed
from cli.knowledge import known
from cli.numbers import MAX_NUMBER
from cli.pick import Thread, pick
from cli.transcript import Transcript
from domain.reading.views import TaskView, ThreadView

app = typer.Typer()

TaskName = Annotated[str | None, typer.Argument(metavar="TASK", show_default=False)]


@app.command()
def show(thread: Thread = None, task: TaskName = None, as_json: Json = False) -> None:
    """Show a thread or one of its tasks, and how to answer what waits."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    if task is not None:
        found = client.get(path_of("threads", thread_id, "tasks", task))
        if as_json:
            print_json(found)
        else:
            _show_task(thread_id, TaskView.model_validate(found))
    elif as_json:
        print_json(client.get(path_of("threads", thread_id)))
    else:
        _show_thread(client.thread(thread_id))


def _show_thread(view: ThreadView) -> None:
    output.print(standing.details(view))
    output.print(session_pages.drawn(view.sessions))
    asked = {request.request.request_id for request in view.requests}
    for proposed in view.plans:
        if proposed.request.request_id in asked:
            output.print(render.plan(proposed))
    for amendment in view.amendments:
        output.print(amendment_pages.card(amendment))
    output.print(merge_pages.merges(view), soft_wrap=True)
    for asked in view.questions:
        output.print(questions.drawn(asked))
        for label, line in asked.signal_lines.items():
            output.print(rows(("", f"answer {label} through Temporal alone:"), "dim"))
            output.print(plain(line), soft_wrap=True)
    for request in view.requests:
        for choice, line in request.signal_lines.items():
            of_task = f"task {request.task_id}" if request.task_id else ""
            what = of_task or f"the {request.request.subject.phrase}"
            output.print(rows(("", f"{choice} {what} through Temporal alone:"), "dim"))
            output.print(plain(line), soft_wrap=True)  # to be pasted: no line breaks
    for name, line in view.signal_lines.items():
        if name.startswith("message"):
            continue  # always possible, so it answers nothing; `--json` has it
        output.print(rows(("", f"{name} through Temporal alone:"), "dim"))
        output.print(plain(line), soft_wrap=True)


def _show_task(thread_id: str, task: TaskView) -> None:
    output.print(render.gate(task))
    if task.description:
        output.print(quoted(task.description))
    state = f"{task.status}  {task.doing or task.notes}"
    output.print(rows((state, f"run {task.run}, turns {task.turns}, branch {task.branch}")))
    if task.begins_with:
        begins = task.begins_with
        output.print(
            plain(f"begins with checkpoint {begins.commit[:12]} (position {begins.position})")
        )
    output.print(known(task))
    if task.is_plan_approved:
        output.print(task_pages.plan_of(task))
    output.print(task_pages.resources_of(task))
    output.print(task_pages.costs_of(task))
    if task.merge_commit:
        output.print(plain(f"merged as {task.merge_commit}, took {standing.took(task)}"))
    for attempt in task.attempts:
        for step in attempt.steps:
            if not step.passed:
                output.print(result_pages.failed(attempt, step))
    if task.is_review_held:
        output.print(plain(f"? {standing.review_ways(thread_id, task.task_id)}", "yellow"))


@app.command()
def logs(
    thread: Thread = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new events.")] = False,
    after: Annotated[
        int, typer.Option(min=0, max=MAX_NUMBER, help="Only events after this position.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """Print the events of a thread, its tasks and its sessions, in words."""
    client = Client(load_settings())
    transcript = Transcript()
    thread_id = pick(client, thread)
    path = path_of("threads", thread_id, "events")
    while page := client.get(path, after=after)["events"]:
        for row in page:
            after = _print_event(row, transcript, as_json=as_json)
    if follow:
        with suppress(KeyboardInterrupt):
            for row in followed(client, f"{path}/stream", after):
                _print_event(row, transcript, as_json=as_json)


def _print_event(row: dict[str, Any], transcript: Transcript, *, as_json: bool) -> int:
    position: int = row["position"]
    if as_json:
        print_json(row)
        return position
    if drawn := transcript.draw(row):
        output.print(drawn)
    return position
