"""`treadle plan`: the same commands as `/plan` in a chat."""

from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from cli.approvals import questions
from cli.core.client import path_of
from cli.core.confirmation import is_watched
from cli.core.console import (
    USAGE,
    Json,
    ask_for,
    emit,
    pass_on,
    whole,
)
from cli.core.options import (
    Agent,
    Detach,
    Labels,
    Model,
    OnHost,
    Template,
    Workspace,
)
from cli.core.repositories import Also, AnyRepo
from cli.core.sending import send_command
from cli.core.threads import Thread, ThreadName, connect_to
from cli.core.views import connect_and_read
from cli.plans import plans
from cli.threads import control, run
from cli.threads.best_of import BestOf, Ends, Judge
from cli.threads.status import progress

Switch = Literal["on", "off"]
Told = Annotated[
    str | None,
    typer.Option(
        "--context",
        metavar="TEXT",
        help="What other planners are told of the chat. Default: its last messages.",
    ),
]


class _Verbs(TyperGroup):
    """Takes several words as a goal, and answers an unknown word with the list of commands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command and its arguments."""
        if args and args[0] not in self.commands:
            if " " not in args[0].strip():
                listed = ", ".join(self.list_commands(ctx))
                raise typer.BadParameter(f"no such command {args[0]!r}; choose one of: {listed}")
            args = ["goal", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(name="plan", cls=_Verbs, invoke_without_command=True)
app.add_typer(plans.app)


@app.callback()
def plan(context: typer.Context) -> None:
    """Start, review and control plans.

    Without a command it asks for a goal.
    """
    if context.invoked_subcommand is not None:
        return
    if not is_watched():
        pass_on(context.get_help() + "\n")
        raise typer.Exit(USAGE)
    if wanted := ask_for("What is the goal? "):
        goal(wanted)


@app.command()
def goal(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What should be done?")],
    repo: AnyRepo = ".",
    also: Also = None,
    agent: Agent = None,
    model: Model = None,
    template: Template = None,
    workspace: Workspace = None,
    rival: run.Rivals = None,
    best_of: BestOf = None,
    ends: Ends = None,
    judge: Judge = None,
    host: OnHost = "",
    label: Labels = None,
    detach: Detach = False,
    yes: run.Yes = False,
    as_json: Json = False,
) -> None:
    """Plan a goal in a new thread."""
    run.run(
        goal,
        repo=repo,
        also=also,
        agent=agent,
        model=model,
        template=template,
        workspace=workspace,
        rival=rival,
        best_of=best_of,
        ends=ends,
        judge=judge,
        host=host,
        label=label,
        plan=True,
        detach=detach,
        yes=yes,
        as_json=as_json,
    )


@app.command()
def request(
    thread: ThreadName,
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What should be done?")],
    agent: Agent = None,
    model: Model = None,
    rival: run.Rivals = None,
    context: Told = None,
    as_json: Json = False,
) -> None:
    """Plan a goal in a thread that exists; its chat goes on as the planner."""
    rivals = [plans.planner_named(name) for name in rival or ()]
    body = {"goal": goal, "agent": agent, "model": model, "rivals": rivals, "context": context}
    send_command(thread, "plans", body=body, as_json=as_json)


@app.command()
def context(thread: Thread = None, as_json: Json = False) -> None:
    """Print what planners are told that were not in the chat."""
    client, thread_id = connect_to(thread)
    answer = client.get(path_of("threads", thread_id, "plans", "context"))
    emit(answer, lambda found: whole(found["text"]), as_json=as_json)


@app.command()
def status(thread: Thread = None, as_json: Json = False) -> None:
    """Show the plan's progress, its tasks, and open questions."""
    _, view = connect_and_read(thread)
    fields = {"thread_id", "plan_status", "progress", "tasks", "decisions", "notices", "running"}
    emit(view.model_dump(mode="json", include=fields), lambda _: progress(view), as_json=as_json)


@app.command()
def auto(
    thread: ThreadName,
    switch: Annotated[Switch, typer.Argument(metavar="on|off")],
    as_json: Json = False,
) -> None:
    """Start plans without warnings as soon as they are proposed, or ask first."""
    send_command(thread, "auto-run", body={"is_on": switch == "on"}, as_json=as_json)


@app.command()
def turns(
    thread: ThreadName,
    number: Annotated[str, typer.Argument(metavar="NUMBER|off", help="How many more, or none.")],
    as_json: Json = False,
) -> None:
    """Let the thread's agent take more turns without a message, or none."""
    if number != "off" and not (number.isascii() and number.isdigit()):
        raise typer.BadParameter(f"{number!r} is neither a number nor 'off'")
    wanted = 0 if number == "off" else int(number)
    send_command(thread, "own-turns", body={"turns": wanted}, as_json=as_json)


for verb in (control.pause, control.resume, control.cancel, questions.decide, control.retry):
    app.command()(verb)
