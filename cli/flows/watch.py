"""Watching a flow run until it ends or stops; its questions are asked at the terminal."""

from typing import Any

import typer

from cli.core.client import Client, path_of
from cli.core.confirmation import Picture, bind, is_watched
from cli.core.console import messages, output, plain, prompted, say
from cli.core.errors import CommandError
from cli.core.runs import run_called
from cli.core.streams import followed
from cli.flows import run_drawing
from cli.transcript.transcript import Transcript
from domain.conversations.questions.events import QuestionAsked
from domain.conversations.questions.question import Question, QuestionKind
from domain.flows.events import FlowAsked, FlowCompleted, FlowFailed, FlowStopped
from domain.reading.event_kinds import read_event
from domain.reading.flow_runs import FlowRunView, OpenFlowRequest
from domain.threads.shown import hash_option


def watch(client: Client, run_id: str, after: int) -> None:
    """Print a run's events until it ends or stops, and ask its questions at the terminal."""
    try:
        end = _end(client, run_id, after)
    except KeyboardInterrupt:
        say("")
        say(f"Left; the run continues. Watch it again: treadle flow logs {run_id} --follow")
        raise typer.Exit from None
    view = view_of(client, run_id)
    messages.print(run_drawing.what_next(view), soft_wrap=True)
    if not isinstance(end, FlowCompleted):
        raise typer.Exit(1)


def _end(
    client: Client, run_id: str, after: int
) -> FlowCompleted | FlowStopped | FlowFailed | None:
    transcript = Transcript()
    path = path_of("flow-runs", run_id, "events", "stream")
    for row in followed(client, path, after):
        journaled = read_event(row)
        line = transcript.draw(row)
        if line is not None:
            output.print(line)
        match journaled.event.body:
            case FlowCompleted() | FlowStopped() | FlowFailed() as end:
                if _has_ended(client, run_id):
                    return end
            case FlowAsked() | QuestionAsked():
                _ask(client, run_id)
            case _:
                pass
    return None


def _has_ended(client: Client, run_id: str) -> bool:
    """Tell whether a run has ended or stopped, and has not been resumed."""
    return view_of(client, run_id).status in {"completed", "stopped", "failed"}


def _ask(client: Client, run_id: str) -> None:
    """Ask an open question at the terminal, or say how to answer it."""
    view = view_of(client, run_id)
    asked = next(iter(_open(view)), None)
    if asked is None:
        return
    way = f"treadle flow answer {run_id} ANSWER{hash_option(asked.content_hash)}"
    if not is_watched():
        say(f"Answer: {way}", style="yellow")
        return
    try:
        text = prompted(_phrase(asked))
        _sent(client, run_id, asked, text)
    except typer.Abort:
        say(f"Still open. Answer: {way}")
    except CommandError as error:
        say(f"{error}\nStill open. Answer: {way}", style="red")


def send_answer(client: Client, run_id: str, text: str, content: str | None) -> Any:
    """Answer the question of a run that has this hash, or that is shown at the terminal.

    Raises:
        CommandError: There is no open question, or it has changed.
    """
    waiting = _open(view_of(client, run_id))
    if not waiting:
        raise CommandError(f"{run_id} has no open question")
    meant = (each for each in waiting if content and each.content_hash.startswith(content))
    asked = next(meant, waiting[0])
    picture = Picture(
        content_hash=asked.content_hash,
        drawn=plain(_phrase(asked), "bold"),
        title="the question",
        look=f"treadle flow status {run_id}",
    )
    bind(picture, content, f"Answer {text!r} to")
    return _sent(client, run_id, asked, text)


def _open(view: FlowRunView) -> list[OpenFlowRequest | Question]:
    """Return the open questions of a run; one of a step takes precedence over those of agents."""
    return [view.request] if view.request else [each.question for each in view.questions]


def _phrase(asked: OpenFlowRequest | Question) -> str:
    """Return a question with its options."""
    if isinstance(asked, OpenFlowRequest):
        text, options = asked.request.question, asked.request.options
    else:
        text, options = asked.phrase, tuple(option.label for option in asked.options)
    return f"{text} ({' | '.join(options)})" if options else text


def _sent(client: Client, run_id: str, asked: OpenFlowRequest | Question, text: str) -> Any:
    if isinstance(asked, Question):
        return _answer_agent(client, run_id, asked, text)
    field = "option" if asked.request.options else "text"
    body = {field: text, "content_hash": asked.content_hash, "request_id": asked.request.request_id}
    return client.post(path_of("flow-runs", run_id, "answer"), body)


def view_of(client: Client, run_id: str) -> FlowRunView:
    """Read a run."""
    return FlowRunView.model_validate(client.get(path_of("flow-runs", run_id)))


def picked(client: Client, run: str | None) -> str:
    """Return the id of the run that is meant, by default the newest; `review-1` is flow-review-1.

    Raises:
        CommandError: There are no runs, or several have the part that was given.
    """
    if run is not None:
        return run_called(client, run)
    rows = client.get("/v1/flow-runs", limit=1)["runs"]
    if not rows:
        raise CommandError("no flow runs yet: start one with `treadle flow run NAME`")
    return rows[0]["run_id"]


def _answer_agent(client: Client, run_id: str, question: Question, text: str) -> Any:
    """Answer an agent's question by the id or the label of an option."""
    wanted = text.strip().casefold()
    known = [o for o in question.options if wanted in {o.option_id.casefold(), o.label.casefold()}]
    if not known:
        options = ", ".join(option.label for option in question.options)
        raise CommandError(f"{question.phrase}: answer with one of: {options}")
    is_decision = question.kind is QuestionKind.DECISION
    answer = {"selections": [known[0].label]} if is_decision else {"option_id": known[0].option_id}
    path = f"/v1/flow-runs/{run_id}/questions/{question.question_id}/answer"
    return client.post(path, {**answer, "content_hash": question.content_hash})
