"""Talking to a session: the answer to a message, waited for."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import typer
from rich.status import Status

from cli import questions as agents
from cli.client import Client, CommandError, path_of
from cli.console import messages, output, print_json, say, whole
from cli.follow import followed
from cli.standing import questions
from domain.agents.agents import TurnResult
from domain.conversations.events import AgentUpdate, ConversationClosed, TurnEnded, TurnStarted
from domain.conversations.questions.events import QuestionAsked
from domain.core.event import JournaledEvent
from domain.reading.event_kinds import JOURNALED


def print_answer(
    client: Client, thread_id: str, sent: dict[str, Any], *, after: int, as_json: bool
) -> None:
    """Wait for the answer to what was sent, print it and say how to go on.

    `sent` is what the API answered to a message or to a new chat; with --json the agent's words go
    into it as `answer`. Leaving does not stop the turn.
    """
    try:
        with messages.status("the agent works") as working:
            result = _answer(client, thread_id, sent.get("data", {}), after, working)
    except KeyboardInterrupt:
        say("")
        say(f"You left; nothing stops. Its answer will be in: treadle logs {thread_id}")
        raise typer.Exit from None
    if as_json:
        print_json({**sent, "answer": result.text, "failure": result.failure})
    else:
        output.print(whole(result.text), soft_wrap=True)
        if result.failure:
            say(result.failure, style="red")
        # the answer may have asked something: to plan first, to amend the plan
        for asked in questions(client.thread(thread_id)):
            say(f"? {asked}", style="yellow")
        say(f"Go on: treadle say {thread_id} TEXT", style="dim")
    if result.failure:
        raise typer.Exit(1)


def print_verb(sent: dict[str, Any], *, as_json: bool) -> None:
    """Print the answer to a message that was a verb of plans, like `/plan status`."""
    if as_json:
        print_json(sent)
    else:
        output.print(whole(sent["message"]), soft_wrap=True)


def _answer(
    client: Client, thread_id: str, message: dict[str, Any], after: int, working: Status
) -> TurnResult:
    """Return how the turn of a message ended, of the first message where none is named.

    What an agent asks meanwhile is put to the person.

    Raises:
        CommandError: The session was closed before its turn.
    """
    turn_id = None
    said: list[str] = []
    for journaled in _events(client, thread_id, after):
        event = journaled.event
        match event.body:
            case TurnStarted() as started if turn_id is None:
                if message.get("message_id") in {None, started.message_id}:
                    turn_id = started.turn_id
            case AgentUpdate(turn_id=of_turn, update=update) if of_turn == turn_id:
                if update.get("sessionUpdate") == "agent_message_chunk":
                    said.append(str(update.get("content", {}).get("text", "")))
            case QuestionAsked(question=question):
                _put(client, thread_id, question.question_id, working)
            case TurnEnded(result=result) if result.turn_id == turn_id:
                return result.model_copy(update={"text": result.text or "".join(said)})
            case ConversationClosed() if message.get("session_id") in {None, event.stream}:
                break
            case _:
                pass
    raise CommandError("the session was closed before it answered")


def _put(client: Client, thread_id: str, name: str, working: Status) -> None:
    """Ask at the terminal, or say how a question is answered; one that is over is passed over."""
    view = client.thread(thread_id)
    asked = next((q for q in view.questions if q.question.question_id == name), None)
    if asked is None:
        return
    if not (sys.stdin.isatty() and messages.is_terminal):
        say(f"? {asked.question.phrase}  {agents.answers(view, asked)}", style="yellow")
        return
    working.stop()
    with contextlib.suppress(EOFError):  # Ctrl-D leaves it open
        agents.ask(client, view, asked)
    working.start()


def _events(client: Client, thread_id: str, after: int) -> Iterator[JournaledEvent]:
    """Yield the events of a thread as they come; a lost connection is taken up where it was."""
    path = path_of("threads", thread_id, "events", "stream")
    yield from map(JOURNALED.validate_python, followed(client, path, after))
