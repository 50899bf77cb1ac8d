"""Commands for turns that wait for their provider, and for a task's agents."""

from typing import Annotated

import typer

from cli.agent_options import Mode, Option, options_of
from cli.console import Json
from cli.steer import tell

app = typer.Typer()

Thread = Annotated[str, typer.Argument(metavar="THREAD")]
Where = Annotated[
    str, typer.Argument(metavar="WHERE", help="A task's id, or the number of a session.")
]
Task = Annotated[str, typer.Argument(metavar="TASK", help="A task's id in its plan.")]
Model = Annotated[str | None, typer.Option(help="A model of that agent; its own unless given.")]


def _place(where: str) -> tuple[str, str]:
    number = where.removeprefix("session-")
    return ("sessions", number) if number.isdecimal() else ("tasks", where)


@app.command(name="skip-wait")
def skip_wait(thread: Thread, where: Where, as_json: Json = False) -> None:
    """Go on now with a turn that waits for its provider's limit to pass."""
    tell(thread, *_place(where), "skip-wait", body={}, as_json=as_json)


@app.command(name="switch-agent")
def switch_agent(
    thread: Thread,
    where: Where,
    agent: Annotated[str, typer.Argument(metavar="AGENT")],
    model: Model = None,
    mode: Mode = None,
    option: Option = None,
    as_json: Json = False,
) -> None:
    """Go on with another agent, model or option: at once where a turn waits, else from the next on."""
    body = {"agent": agent, "model": model, "options": options_of(option, mode)}
    tell(thread, *_place(where), "switch-agent", body=body, as_json=as_json)


@app.command(name="open-session")
def open_session(
    thread: Thread,
    task: Task,
    agent: Annotated[str | None, typer.Option(help="The task's own agent unless given.")] = None,
    model: Model = None,
    mode: Mode = None,
    option: Option = None,
    as_json: Json = False,
) -> None:
    """Open one more session on a task's directory; talk to it with `say --task TASK -s NUMBER`."""
    body = {"agent": agent, "model": model, "options": options_of(option, mode)}
    tell(thread, "tasks", task, "sessions", body=body, as_json=as_json)
