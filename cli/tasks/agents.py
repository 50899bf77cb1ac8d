"""The agents and sessions of threads and tasks: open, switch, continue."""

from typing import Annotated, Any

import typer

from cli.core.client import path_of
from cli.core.console import Json, emit, output, say
from cli.core.options import Mode, Model, Option, options_of
from cli.core.sending import send_command
from cli.core.threads import Thread, ThreadName, connect_to
from cli.core.works import place_and_word, work_or
from cli.tasks import session_drawing

app = typer.Typer()

_PLACES = "A task id, or a session number. Default: the work of a plan without tasks."
_SWITCH = "[WHERE] AGENT"
Where = Annotated[str | None, typer.Argument(metavar="WHERE", help=_PLACES, show_default=False)]
Agent = Annotated[
    str | None, typer.Option(help="The agent. Default: the agent of the thread or task.")
]


def _path(where: str) -> tuple[str, str]:
    number = where.removeprefix("session-")
    return ("sessions", number) if number.isdecimal() else ("tasks", where)


@app.command(name="skip-wait")
def skip_wait(thread: ThreadName, where: Where = None, as_json: Json = False) -> None:
    """Continue a turn now that is waiting for its provider's limit."""
    send_command(thread, *_path(work_or(where)), "skip-wait", body={}, as_json=as_json)


@app.command(name="switch-agent")
def switch_agent(
    thread: ThreadName,
    words: Annotated[
        list[str], typer.Argument(metavar=_SWITCH, help=f"The agent, and where: {_PLACES}")
    ],
    model: Model = None,
    mode: Mode = None,
    option: Option = None,
    as_json: Json = False,
) -> None:
    """Switch a task or session to another agent, model or option.

    It takes effect at once if a turn is waiting, and with the next turn otherwise.
    """
    where, agent = place_and_word(words, _SWITCH)
    body = {"agent": agent, "model": model, "options": options_of(option, mode)}
    send_command(thread, *_path(where), "switch-agent", body=body, as_json=as_json)


@app.command(name="open-session")
def open_session(
    thread: Thread = None,
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="Open it in this task's worktree.", show_default=False),
    ] = None,
    agent: Agent = None,
    model: Model = None,
    mode: Mode = None,
    option: Option = None,
    shared: Annotated[
        bool,
        typer.Option("--shared", help="Share the worktree of the thread's other chats, in turns."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Open another session in a thread, or in a task's worktree.

    Talk to it with `treadle say THREAD TEXT [--task TASK] --session NUMBER`.
    """
    client, thread_id = connect_to(thread)
    body: dict[str, Any] = {"agent": agent, "model": model, "options": options_of(option, mode)}
    if task is not None:
        send_command(thread_id, "tasks", task, "sessions", body=body, as_json=as_json)
        return
    body["has_own_worktree"] = not shared
    answer = client.post(path_of("threads", thread_id, "sessions"), body)
    emit(answer, lambda _: _say_opened(thread_id, answer), as_json=as_json)


def _say_opened(thread_id: str, answer: dict[str, Any]) -> None:
    number = str(answer["data"]["session_id"]).rpartition("-")[2]
    say(f"Opened session {number}: treadle say {thread_id} TEXT --session {number}")


@app.command()
def options(thread: Thread = None, as_json: Json = False) -> None:
    """List the modes, models and other options of a thread's agents."""
    client, thread_id = connect_to(thread)
    offered = client.get(path_of("threads", thread_id, "offers"))
    emit(offered, _print_offers, as_json=as_json)


def _print_offers(offered: list[dict[str, Any]]) -> None:
    for session in offered:
        output.print(session_drawing.offers(session))
