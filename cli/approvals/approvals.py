"""Approving and rejecting, by commands and at the terminal."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import typer
from rich.console import Group, RenderableType

from cli.approvals import taking
from cli.approvals.comments import Comments, typed
from cli.approvals.elsewhere import decided_elsewhere
from cli.approvals.wanted import wanted_request
from cli.approvals.wordings import decided
from cli.core.client import Client, path_of
from cli.core.confirmation import Hash, Picture, bind, check, is_watched
from cli.core.console import Json, ask_for, coloured, emit, messages, plain, say
from cli.core.errors import CommandError, RefusedError
from cli.core.threads import Thread
from cli.core.views import connect_and_read, read_thread
from cli.plans import amendment_drawing, comparison, plans
from cli.plans import drawing as plan_drawing
from cli.tasks import contest_drawing, diff
from cli.tasks import drawing as task_drawing
from domain.core.approvals import Choice, Subject
from domain.core.autonomy import Autonomy
from domain.reading.views import OpenRequest, TaskView, ThreadView
from domain.threads.amending.history import AmendmentView
from domain.threads.planning.state import ProposedPlan

app = typer.Typer()

TaskName = Annotated[
    str | None,
    typer.Argument(
        metavar="WHAT", help="A task id, or a request id like plan-2.", show_default=False
    ),
]
Run = Literal["each-plan", "gates", "auto"]


@app.command()
def approve(
    thread: Thread = None,
    task: TaskName = None,
    content: Hash = None,
    is_acknowledged: Annotated[
        bool,
        typer.Option("--acknowledge", help="Confirm that you have read the warnings of the plan."),
    ] = False,
    is_edited: Annotated[
        bool, typer.Option("--edit", help="Edit the plan in your editor first.")
    ] = False,
    run: Annotated[
        Run | None,
        typer.Option(help="Where the plan stops for your approval. Default: as the plan says."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Approve a plan, an amendment, or a task at its gate."""
    client, view, request = _asked(thread, task)
    if is_edited:
        check(_picture(client, view, request), content)
        view, request = _edited(client, view, request)
    else:
        bind(_picture(client, view, request), content, "Approve")
    read = is_acknowledged or _acknowledges(view, request)
    autonomy = Autonomy(run.replace("-", "_")) if run else None
    message = send(client, view, request, "approve", is_acknowledged=read, autonomy=autonomy)
    _report(view, request, "approve", message, as_json=as_json)


@app.command()
def reject(
    feedback: Annotated[str, typer.Option("--feedback", "-f", help="What to change.")] = "",
    comment: Comments = None,
    thread: Thread = None,
    task: TaskName = None,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Reject a plan, an amendment, or a task at its gate, with feedback."""
    comments = typed(comment or [], feedback)
    client, view, request = _asked(thread, task)
    bind(_picture(client, view, request), content, "Reject")
    message = send(client, view, request, "reject", feedback, comments=comments)
    _report(view, request, "reject", message, as_json=as_json)


def _asked(thread: str | None, task: str | None) -> tuple[Client, ThreadView, OpenRequest]:
    """Return the request to answer, as it is now."""
    client, view = connect_and_read(thread)
    return client, view, wanted_request(view, task)


def _picture(client: Client, view: ThreadView, request: OpenRequest) -> Picture:
    asked = request.request
    return Picture(
        content_hash=asked.content_hash,
        drawn=_with_cost(client, view, request),
        title=f"the {asked.subject.phrase} {asked.request_id}: {asked.title}",
        look=f"treadle show {view.thread_id}",
    )


def _report(
    view: ThreadView, request: OpenRequest, choice: str, message: str, *, as_json: bool
) -> None:
    answer = {"request": request.request, "choice": choice, "message": message}
    emit(answer, lambda _: say(decided(view, request, choice)), as_json=as_json)


def _edited(
    client: Client, view: ThreadView, request: OpenRequest
) -> tuple[ThreadView, OpenRequest]:
    """Have a plan edited in the person's editor; return the request of the new revision."""
    proposed = _plan_of(view, request)
    if proposed is None:
        raise CommandError("only a plan can be edited before it is approved")
    answer = plans.edited(client, view, proposed)
    if answer is None:
        say("No changes.")
        return view, request
    view, made = read_thread(client, view.thread_id), answer["data"]["request"]
    request = wanted_request(view, made["request_id"])
    check(_picture(client, view, request), made["content_hash"])
    return view, request


def _plan_of(view: ThreadView, request: OpenRequest) -> ProposedPlan | None:
    wanted = request.request.request_id
    return next((p for p in view.plans if p.request.request_id == wanted), None)


def _amendment_of(view: ThreadView, request: OpenRequest) -> AmendmentView | None:
    wanted = request.request.request_id
    return next((a for a in view.amendments if a.amendment_id == wanted), None)


def _acknowledges(view: ThreadView, request: OpenRequest) -> bool:
    """Show the warnings of a plan, and ask the person to acknowledge them.

    Raises:
        CommandError: They did not, or nobody is at this terminal.
    """
    proposed = _plan_of(view, request)
    warnings = proposed.warnings if proposed else ()
    unread = [warning for warning in warnings if warning.needs_acknowledgement]
    if not unread:
        return False
    for warning in unread:
        messages.print(plain(f"! {warning.text}", "yellow"))
    hint = "not approved: read the warnings, then add --acknowledge"
    if not is_watched():
        raise CommandError(hint)
    answer = ask_for("Approve the plan with these warnings (y/n)? ")
    if answer.lower() not in {"y", "yes"}:
        raise CommandError(hint)
    return True


def send(
    client: Client,
    view: ThreadView,
    request: OpenRequest,
    choice: str,
    feedback: str = "",
    *,
    note: str = "",
    is_acknowledged: bool = False,
    autonomy: Autonomy | None = None,
    comments: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Send a decision, bound to what was shown; return the answer's message.

    `note` says how the person decided without reviewing, `is_acknowledged` that they read the warnings
    of a plan, `autonomy` where the plan stops; `comments` are on lines of a task's diff.
    """
    body = {
        "request_id": request.request.request_id,
        "content_hash": request.request.content_hash,
        "choice": Choice(choice),
        "feedback": feedback,
        "note": note,
        "is_acknowledged": is_acknowledged,
    }
    body |= {"comments": list(comments)} if comments else {}
    body |= {"autonomy": autonomy} if autonomy else {}
    return client.post(path_of("threads", view.thread_id, "approvals"), body)["message"]


def ask(client: Client, view: ThreadView, request: OpenRequest) -> bool:
    """Show a request at the terminal and send the person's answer; False if they leave it open."""
    task = _task_of(view, request)
    messages.rule(style="yellow")
    proposed = _plan_of(view, request)
    messages.print(_with_cost(client, view, request))
    if contest := taking.contest_of(view, request):
        return taking.ask(client, view, contest)
    has_diff = task is not None and request.request.subject is Subject.GATE
    choices = "approve (a), reject (r), decide later (l)" + (", show the diff (d)" * has_diff)
    choices += ", edit (e), show the handoff (h)" if proposed else ""
    has_rivals = sum(r.request.subject is Subject.PLAN for r in view.requests) > 1
    choices += ", compare the plans (c)" if has_rivals else ""
    while True:
        answer = ask_for(f"{choices}? ").lower()
        if answer in {"a", "approve"}:
            return _approved(client, view, request)
        if answer in {"r", "reject"}:
            feedback = ask_for("What should change? ")
            return _sent(client, view, request, ("reject", feedback))
        if answer in {"d", "diff"} and task is not None:
            _show_diff(client, view, task)
        if answer in {"h", "handoff"} and proposed is not None:
            messages.print(plain(proposed.handoff))
        if answer in {"c", "compare"} and has_rivals:
            messages.print(plans.compared(client, view.thread_id))
        if answer in {"e", "edit"} and proposed is not None:
            return _changed(client, view, request)
        if answer in {"l", "leave", "q"}:
            return False


def _show_diff(client: Client, view: ThreadView, task: TaskView) -> None:
    """Show the diff of the request, without later changes."""
    commit = task.snapshot.commit if task.snapshot else ""
    try:
        patch = diff.patch_of(client, view.thread_id, task.task_id, commit=commit)
    except RefusedError as error:
        say(str(error), style="red")
    else:
        messages.print(coloured(patch))


def shown(view: ThreadView, request: OpenRequest, *, is_whole: bool = False) -> RenderableType:
    """Draw what a request is about; of a large plan a digest, unless it is wanted whole."""
    drawn = _content(view, request, is_whole=is_whole)
    return Group(drawn, plain(request.missing, "bold")) if request.missing else drawn


def _with_cost(client: Client, view: ThreadView, request: OpenRequest) -> RenderableType:
    drawn, proposed = shown(view, request), _plan_of(view, request)
    return Group(drawn, *plans.expected_cost(client, view, proposed)) if proposed else drawn


def _content(view: ThreadView, request: OpenRequest, *, is_whole: bool) -> RenderableType:
    task = _task_of(view, request)
    if contest := taking.contest_of(view, request):
        return contest_drawing.contest(contest)
    if proposed := _plan_of(view, request):
        all_by = "" if is_whole else plans.whole_plan(view, proposed)
        drawn = plan_drawing.plan(proposed, plans.planner_of(view, proposed), all_by=all_by)
        return Group(drawn, comparison.critiques(proposed))
    if amendment := _amendment_of(view, request):
        return amendment_drawing.card(amendment)
    return plain(request.request.title, "bold") if task is None else task_drawing.gate(task)


def _approved(client: Client, view: ThreadView, request: OpenRequest) -> bool:
    """Approve; if the warnings of a plan are not acknowledged, it stays open."""
    try:
        read = _acknowledges(view, request)
    except CommandError as error:
        say(str(error), style="red")
        return False
    return _sent(client, view, request, ("approve", ""), is_acknowledged=read)


def _changed(client: Client, view: ThreadView, request: OpenRequest) -> bool:
    """Have the person edit a plan, and ask about the new revision."""
    try:
        view, request = _edited(client, view, request)
    except CommandError as error:
        say(str(error), style="red")
    return ask(client, view, request)


def _sent(
    client: Client,
    view: ThreadView,
    request: OpenRequest,
    choice: tuple[str, str],
    *,
    is_acknowledged: bool = False,
) -> bool:
    if decided := decided_elsewhere(client, view, request):
        say(decided, style="yellow")
        return True
    try:
        say(send(client, view, request, *choice, is_acknowledged=is_acknowledged))
    except RefusedError as error:
        say(str(error), style="red")  # decided elsewhere, or changed: the view shows it
    return True


def _task_of(view: ThreadView, request: OpenRequest) -> TaskView | None:
    return next((task for task in view.runs if task.task_id == request.task_id), None)
