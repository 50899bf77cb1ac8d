"""`treadle take`: the work of one of several agents; `treadle add-candidate`: one more agent."""

from typing import Annotated

import typer

from cli.core.client import Client, path_of
from cli.core.confirmation import Hash, Picture, bind
from cli.core.console import Json, ask_for, emit, messages, say
from cli.core.errors import CommandError, RefusedError
from cli.core.sending import send_command
from cli.core.threads import ThreadName
from cli.core.views import connect_and_read
from cli.core.works import one_called
from cli.tasks import contest_drawing, diff
from domain.core.closest import few_names
from domain.plans.best_of import agent_choice
from domain.reading.contest_views import CandidateView, ContestView
from domain.reading.views import OpenRequest, ThreadView
from domain.threads.contests.state import CandidateStanding

app = typer.Typer()


@app.command()
def take(
    thread: ThreadName,
    candidate: Annotated[
        str,
        typer.Argument(metavar="CANDIDATE", help="Like app.b, or B if only one task is waiting."),
    ],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Take one candidate of a best-of task; the others are stopped."""
    client, view = connect_and_read(thread)
    contest, chosen = _chosen(view, candidate)
    bind(_picture(view, contest), content, f"Take candidate {chosen.letter} of")
    message = send_taken(client, view, contest, chosen)
    answer = {"task": contest.task_id, "candidate": chosen.candidate, "message": message}
    emit(answer, lambda _: say(message), as_json=as_json)


@app.command(name="put-together")
def put_together(
    thread: ThreadName,
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="Whose work to start from, like app.b or B.")
    ],
    parts: Annotated[
        list[str],
        typer.Argument(
            metavar="CANDIDATE:FILE…", help="A file of another candidate, like A:src/app.py."
        ),
    ],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Add a candidate: one candidate's work with files of others, verified like any other."""
    client, view = connect_and_read(thread)
    contest, base = _chosen(view, candidate)
    files: dict[str, list[str]] = {}
    for part in parts:
        name, _, file = part.partition(":")
        if not file:
            raise typer.BadParameter(f"{part!r}: write CANDIDATE:FILE, like A:src/app.py")
        files.setdefault(_chosen(view, name)[1].candidate, []).append(file)
    files = _with_old_names(client, view, contest, files)
    bind(_picture(view, contest), content, f"Make a new candidate from {base.letter} for")
    if contest.request is None:
        raise CommandError(f"the candidates of {contest.task_id} are not waiting for a choice")
    body = {
        "request_id": contest.request.request_id,
        "content_hash": contest.request.content_hash,
        "base": base.candidate,
        "parts": [{"candidate": name, "files": own} for name, own in files.items()],
    }
    path = path_of("threads", view.thread_id, "tasks", contest.task_id, "put-together")
    emit(client.post(path, body), as_json=as_json)


def _with_old_names(
    client: Client, view: ThreadView, contest: ContestView, files: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Return files of candidates with the names that they had: what is renamed is there once."""
    named = {file for own in files.values() for file in own}
    found = dict[str, list[str]]()
    for candidate in contest.candidates:
        if (own := files.get(candidate.candidate)) is None:
            continue
        patch = diff.patch_of(client, view.thread_id, candidate.candidate, commit=candidate.commit)
        renamed = diff.renames_in(patch)
        old = [renamed[file] for file in own if renamed.get(file, file) not in named]
        found[candidate.candidate] = [*own, *dict.fromkeys(old)]
        for file in old:
            say(f"{candidate.letter} renamed {file}, so that is removed")
    return found


@app.command(name="add-candidate")
def add_candidate(
    thread: ThreadName,
    task: Annotated[str, typer.Argument(metavar="TASK", help="Task id, or a part.")],
    agent: Annotated[str, typer.Argument(metavar="AGENT[:MODEL]")],
    as_json: Json = False,
) -> None:
    """Add an agent to a best-of task."""
    choice = agent_choice(agent)
    body = {"agent": choice.agent, "model": choice.model}
    send_command(thread, "tasks", task, "candidates", body=body, as_json=as_json)


def contest_of(view: ThreadView, request: OpenRequest) -> ContestView | None:
    """Return the contest that a request is about, None for any other request."""
    asked = request.request
    return next((c for c in view.contests if c.request and c.request == asked), None)


def ask(client: Client, view: ThreadView, contest: ContestView) -> bool:
    """Have a person at the terminal take one, or see diffs; False if they leave it open."""
    ready = {
        c.letter.lower(): c for c in contest.candidates if c.standing is CandidateStanding.READY
    }
    letters = ", ".join(letter.upper() for letter in ready)
    while True:
        said = ask_for(f"take one ({letters}), show a diff (d LETTER), decide later (l)? ").lower()
        if said in ready:
            try:
                say(send_taken(client, view, contest, ready[said]))
            except RefusedError as error:
                say(str(error), style="red")
            return True
        if said[:2] == "d " and (shown := ready.get(said[2:].strip())):
            messages.print(diff.patch_of(client, view.thread_id, shown.candidate))
        if said in {"l", "leave", "q"}:
            return False


def send_taken(
    client: Client, view: ThreadView, contest: ContestView, chosen: CandidateView
) -> str:
    """Take a candidate's work, bound to what was shown; return what became of it, in words."""
    if contest.request is None:
        raise CommandError(f"the candidates of {contest.task_id} are not waiting for a choice")
    body = {
        "request_id": contest.request.request_id,
        "content_hash": contest.request.content_hash,
    }
    path = path_of("threads", view.thread_id, "tasks", chosen.candidate, "take")
    answer = client.post(path, body)
    if answer.get("data", {}).get("missing"):
        return answer["message"]
    return f"Took candidate {chosen.letter} of {contest.task_id}: {contest.title}"


def _picture(view: ThreadView, contest: ContestView) -> Picture:
    return Picture(
        content_hash=contest.request.content_hash if contest.request else "",
        drawn=contest_drawing.contest(contest),
        title=f"{contest.task_id}: {contest.title}",
        look=f"treadle show {view.thread_id}",
    )


def _chosen(view: ThreadView, wanted: str) -> tuple[ContestView, CandidateView]:
    """Return the candidate that is meant: by its id, or by its letter where one task waits.

    Raises:
        CommandError: No candidate has that name, or several have.
    """
    waiting = [contest for contest in view.contests if contest.request is not None]
    if not waiting:
        raise CommandError(f"no candidates are waiting for a choice in {view.thread_id}")
    known = {str(c.candidate): (each, c) for each in waiting for c in each.candidates}
    if len(wanted) == 1:
        found = [name for name in known if name.endswith(f".{wanted.lower()}")]
        if len(found) == 1:
            return known[found[0]]
    name = one_called(wanted, known, "candidates") if len(wanted) > 1 else None
    if name is None:
        raise CommandError(f"no single candidate is {wanted!r}; waiting: {few_names(known)}")
    return known[name]
