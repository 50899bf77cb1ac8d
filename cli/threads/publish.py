"""`treadle resolve` and `treadle publish`."""

from typing import Annotated

import typer
from rich.console import Group

from cli.core.client import path_of
from cli.core.confirmation import UNSEEN, Hash, Picture, bind, is_watched
from cli.core.console import Json, confirmed, emit, output
from cli.core.numbers import MAX_NUMBER
from cli.core.sending import send_command
from cli.core.threads import ThreadName, connect_to
from cli.core.views import connect_and_read, read_thread
from cli.core.works import place_and_word, task_called
from cli.threads.branch import SHORT, check_at, look, show, wait_for_end
from cli.threads.merge_drawing import conflict_lines, publication
from cli.threads.pull_requests import carry_out, merge_pull_request, read_words
from domain.forges.policy import PublishAs
from domain.forges.pull_requests import MergeMethod, MergeTiming
from domain.reading.views import ThreadView
from domain.tasks.running_commands import ConflictChoice
from domain.threads.publishing.publication import Publication
from domain.threads.shown import ShownConflict

app = typer.Typer()

_HOW = {how.spoken: how for how in ConflictChoice}

_NAMES = "[SUBJECT] HOW"
Words = Annotated[
    list[str],
    typer.Argument(
        metavar=_NAMES,
        help="SUBJECT: task id, or session-N of a chat. Default: the work of a plan without tasks. "
        "HOW: keep-a (the branch's version), keep-b (its own), by-hand, agent, done, or leave (merge "
        "nothing of a chat).",
    ),
]


@app.command()
def resolve(
    thread: ThreadName,
    words: Words,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Choose how to resolve the merge conflict of a task or of a chat session.

    `done` completes a resolution by hand, and merges what a chat's agent made.
    """
    subject, how = place_and_word(words, _NAMES)
    chosen = _HOW.get(how.lower().replace("_", "-"))
    if chosen is None:
        raise typer.BadParameter(f"{how!r} is none of: {', '.join(_HOW)}", param_hint="HOW")
    _, view = connect_and_read(thread)
    subject = task_called(subject, (task.task_id for task in view.tasks))
    found = next((c for c in view.conflicts if c.conflict.called == subject), None)
    if found is not None:
        bind(_picture(view, found), content, f"{how}: resolve")
    body = {"how": chosen, "content_hash": found.content_hash if found else content or UNSEEN}
    place = ("tasks", subject)
    number = subject.removeprefix("session-")
    is_task = any(task.task_id == subject for task in view.tasks)
    if number.isdecimal() and number != subject and not is_task:
        place = ("sessions", number)
    elif subject == "base" and not is_task:
        place = ("base",)
    send_command(view.thread_id, *place, "conflict", body=body, as_json=as_json)


def _picture(view: ThreadView, found: ShownConflict) -> Picture:
    return Picture(
        content_hash=found.content_hash,
        drawn=Group(*conflict_lines(view, found)),
        title=f"the conflict of {found.conflict.named('')}",
        look=f"treadle show {view.thread_id}",
    )


ChosenParts = Annotated[
    PublishAs | None,
    typer.Option(
        "--as",
        help="thread: one pull request. tasks: one for each task, stacked. Default: as the template says.",
    ),
]
StackNumber = Annotated[
    int,
    typer.Option(
        min=0,
        max=MAX_NUMBER,
        metavar="N",
        show_default=False,
        help="Which pull request of a stack. Default: the next to merge.",
    ),
]


@app.command()
def publish(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ACTION] [THREAD]",
            help="ACTION: status, look, watch, unwatch, merge, cancel-merge of the pull request, or "
            "dismiss ITEM or rework ITEM. Default: publish the branch. THREAD: as everywhere.",
        ),
    ] = None,
    remote: Annotated[str, typer.Option(help="Remote. Default: origin, or the only one.")] = "",
    address: Annotated[str, typer.Option(help="The remote's address, if it has changed.")] = "",
    commit: Annotated[
        str | None,
        typer.Option(
            help="Publish or merge only if the branch is at this commit (a prefix is enough)."
        ),
    ] = None,
    no_pull_request: Annotated[
        bool, typer.Option("--no-pull-request", help="Push without opening a pull request.")
    ] = False,
    publish_as: ChosenParts = None,
    number: StackNumber = 0,
    method: Annotated[
        MergeMethod | None, typer.Option(help="How to merge. Default: as the template says.")
    ] = None,
    when_ready: Annotated[
        bool, typer.Option("--when-ready", help="Have the forge merge once its checks allow it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Push a thread's branch and open a pull request; or look at that pull request, merge it, and so on."""
    action, item, thread = read_words(words or [])
    if action == "merge":
        timing = MergeTiming.WHEN_READY if when_ready else MergeTiming.NOW
        merge_pull_request(thread, commit, method, timing, number=number, as_json=as_json)
    elif action:
        carry_out(action, item, thread, number=number, as_json=as_json)
    else:
        body = {"remote": remote, "address": address, "wants_pull_request": not no_pull_request}
        _publish(thread, {**body, **_parts(publish_as)}, commit, as_json=as_json)


def _parts(publish_as: PublishAs | None) -> dict[str, str]:
    return {"publish_as": publish_as.value} if publish_as else {}


def _publish(
    thread: str | None, body: dict[str, str | bool], commit: str | None, *, as_json: bool
) -> None:
    client, name = connect_to(thread)
    found = look(client, name)
    check_at(found.branch, found.commit, commit)
    if commit is None and is_watched():
        show(client, found)
        what = f"Publish {found.branch} ({found.commit[:SHORT]})?"
        confirmed(what, aborts=True)
    before = read_thread(client, name).publication.number
    client.post(path_of("threads", name, "publish"), {**body, "commit": found.commit})
    published = wait_for_end(client, name, before, lambda view: view.publication)
    emit(published, _print, as_json=as_json)
    if published.is_under_way or (published.failure and not published.compare_url):
        raise typer.Exit(1)


def _print(published: Publication) -> None:
    for line in publication(published):
        output.print(line, soft_wrap=True)
