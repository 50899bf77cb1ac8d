"""`treadle say`: a message to an agent, and its answer."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.status import Status

from cli.approvals import questions as agents
from cli.core.client import Client, connect, path_of
from cli.core.confirmation import is_watched
from cli.core.console import Json, emit, messages, output, say, whole
from cli.core.errors import CommandError
from cli.core.numbers import MAX_NUMBER
from cli.core.sending import send_command
from cli.core.streams import followed
from cli.core.threads import ThreadName, connect_to, pick
from cli.core.views import read_thread
from cli.core.works import task_in
from cli.threads import attachments
from cli.threads.slash import check_slash, offered_in
from cli.threads.status import questions
from domain.agents.agents import TurnResult
from domain.agents.updates import MESSAGE, kind_of
from domain.conversations.events import AgentUpdate, ConversationClosed, TurnEnded, TurnStarted
from domain.conversations.questions.events import QuestionAsked
from domain.core.event import JournaledEvent
from domain.core.ids import session_stream
from domain.reading.event_kinds import read_event

app = typer.Typer()


def _session_of(thread: str, task: str, number: int | None) -> dict[str, str]:
    """Return the session of a task that a person opened, by its number."""
    if number is None:
        return {}
    client, thread_id = connect_to(thread)
    task = task_in(client, thread_id, task)
    view = client.get(path_of("threads", thread_id, "tasks", task))
    found = [session["session_id"] for session in view["sessions"] if session["role"] == "chat"]
    meant = [name for name in found if name.endswith(f"-{number}")]
    if not meant:
        known = ", ".join(name.rsplit("-", 1)[-1] for name in found) or "none"
        raise CommandError(f"task {task} has no session {number} that you opened; it has: {known}")
    return {"session_id": meant[0]}


@app.command(name="say")
def say_(
    thread: ThreadName,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The message.")],
    task: Annotated[str | None, typer.Option(help="Send it to this task's agent.")] = None,
    session: Annotated[
        int | None,
        typer.Option("--session", "-s", min=1, max=MAX_NUMBER, help="Send it to this session."),
    ] = None,
    attach: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Attach a file, such as an image; repeatable."),
    ] = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Queue it without waiting for the answer.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Send a message to an agent and print its answer.

    A task's agent gets it with its next turn.
    """
    client = connect()
    body: dict[str, Any] = {"text": text, "attachments": attachments.sent(client, attach or [])}
    if task is not None:
        body = body | _session_of(thread, task, session)
        send_command(thread, "tasks", task, "messages", body=body, as_json=as_json)
        return
    view = read_thread(client, pick(client, thread))
    check_slash(text, offered_in(client, view.thread_id, text))
    if session is not None:
        body["session_id"] = session_stream(view.thread_id, session)
    if no_wait:
        send_command(view.thread_id, "messages", body=body, as_json=as_json)
        return
    sent = client.post(path_of("threads", view.thread_id, "messages"), body)
    if sent.get("data", {}).get("verb"):
        printed = whole(sent["message"])  # of a command like `/plan status`
        emit(sent, lambda _: output.print(printed, soft_wrap=True), as_json=as_json)
        return
    print_answer(client, view.thread_id, sent, after=view.position, as_json=as_json)


def print_answer(
    client: Client, thread_id: str, sent: dict[str, Any], *, after: int, as_json: bool
) -> None:
    """Wait for an agent's answer and print it.

    `sent` is the API's response to a message or a new chat; with --json it is printed with the agent's
    `answer`. Leaving does not stop the turn.
    """
    try:
        with messages.status("the agent is working") as working:
            result = _answer(client, thread_id, sent.get("data", {}), after, working)
    except KeyboardInterrupt:
        say("")
        say(f"Left; the agent keeps working. Its answer will be in: treadle logs {thread_id}")
        raise typer.Exit from None
    answer = {**sent, "answer": result.text, "failure": result.failure}
    session = str(sent.get("data", {}).get("session_id", ""))
    emit(answer, lambda _: _print(client, thread_id, session, result), as_json=as_json)
    if result.failure:
        raise typer.Exit(1)


def _print(client: Client, thread_id: str, session: str, result: TurnResult) -> None:
    output.print(whole(result.text), soft_wrap=True)
    if result.failure:
        say(result.failure, style="red")
    # the answer may have asked something: to plan first, to amend the plan
    view = read_thread(client, thread_id)
    for asked in questions(view):
        say(f"? {asked}", style="yellow")
    number = session.rpartition("/session-")[2] if len(view.sessions) > 1 else ""
    say(f"Reply: treadle say {thread_id} TEXT{f' -s {number}' if number else ''}", style="dim")


def _answer(
    client: Client, thread_id: str, message: dict[str, Any], after: int, working: Status
) -> TurnResult:
    """Return the result of the turn of a message, by default of the first one.

    Questions of the agent are put to the person.

    Raises:
        CommandError: The session was closed before its turn, or has ended by itself.
    """
    turn_id = None
    body: list[str] = []
    for journaled in _events(client, thread_id, after):
        event = journaled.event
        match event.body:
            case TurnStarted() as started if turn_id is None:
                if message.get("message_id") in {None, started.message_id}:
                    turn_id = started.turn_id
            case AgentUpdate(turn_id=of_turn, update=update) if of_turn == turn_id:
                if kind_of(update) == MESSAGE:
                    body.append(str(update.get("content", {}).get("text", "")))
            case QuestionAsked(question=question):
                _put(client, thread_id, question.question_id, working)
            case TurnEnded(result=result) if result.turn_id == turn_id:
                return result.model_copy(update={"text": result.text or "".join(body)})
            case ConversationClosed() as closed if message.get("session_id") in {
                None,
                event.stream,
            }:
                raise CommandError(_closed_words(closed.reason, thread_id))
            case _:
                pass
    raise CommandError("the thread's events have ended before an answer")


def _closed_words(reason: str, thread_id: str) -> str:
    if reason in {"", "treadle"}:
        return "the session was closed before it answered"
    return (
        f"the session has ended before it answered ({reason}); another session of the thread gets the "
        f"message: treadle attach {thread_id}"
    )


def _put(client: Client, thread_id: str, name: str, working: Status) -> None:
    """Ask a question at the terminal, or say how to answer it; skip one that is closed."""
    view = read_thread(client, thread_id)
    asked = next((q for q in view.questions if q.question.question_id == name), None)
    if asked is None:
        return
    if not is_watched():
        say(f"? {asked.question.phrase}  {agents.answers(view, asked)}", style="yellow")
        return
    working.stop()
    with contextlib.suppress(EOFError):  # Ctrl-D leaves it open
        agents.ask(client, view, asked)
    working.start()


def _events(client: Client, thread_id: str, after: int) -> Iterator[JournaledEvent]:
    """Yield the events of a thread, across lost connections."""
    path = path_of("threads", thread_id, "events", "stream")
    yield from map(read_event, followed(client, path, after))
