"""The verbs of plans, `treadle plan VERB`: the same as `/plan VERB` in a chat."""

import sys
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from cli import choosing, plans, steer
from cli.binding import Hash
from cli.client import Client
from cli.console import (
    USAGE,
    Json,
    ask_for,
    load_settings,
    messages,
    output,
    pass_on,
    print_json,
    say,
)
from cli.pick import Of, Thread, pick
from cli.standing import progress
from cli.steer import tell

Switch = Literal["on", "off"]


class _Verbs(TyperGroup):
    """Takes several words that are no verb for a goal, and answers a word that is none with the list."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the verb that is meant, and its arguments."""
        if args and args[0] not in self.commands:
            if " " not in args[0].strip():
                listed = ", ".join(self.list_commands(ctx))
                raise typer.BadParameter(f"there is no verb {args[0]!r}; there are: {listed}")
            args = ["goal", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=_Verbs, invoke_without_command=True)
app.add_typer(plans.app)


@app.callback()
def plan(context: typer.Context) -> None:
    """Start plans, look at them and steer them; without a verb it asks for a goal."""
    if context.invoked_subcommand is not None:
        return
    if not (sys.stdin.isatty() and messages.is_terminal):
        pass_on(context.get_help() + "\n")
        raise typer.Exit(USAGE)
    thread = pick(Client(load_settings()), None)
    if wanted := ask_for("What is the goal? "):
        goal(wanted, thread)


@app.command()
def goal(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What shall be done.")],
    thread: Of = None,
    as_json: Json = False,
) -> None:
    """Have a goal planned in a thread that is there; `treadle run GOAL` opens a new one."""
    tell(thread, "plans", body={"goal": goal}, as_json=as_json)


@app.command()
def status(thread: Thread = None, as_json: Json = False) -> None:
    """Show how far the plan is, what its tasks do, and what is asked."""
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    if as_json:
        fields = {
            "thread_id",
            "plan_status",
            "progress",
            "tasks",
            "decisions",
            "notices",
            "running",
        }
        print_json(view.model_dump(mode="json", include=fields))
    else:
        output.print(progress(view))


@app.command()
def auto(
    switch: Annotated[Switch, typer.Argument(metavar="on|off")],
    thread: Of = None,
    as_json: Json = False,
) -> None:
    """Start plans without warnings as soon as they are proposed, or ask first."""
    tell(thread, "auto-run", body={"is_on": switch == "on"}, as_json=as_json)


for verb in (steer.pause, steer.resume, steer.cancel):
    app.command()(verb)


@app.command()
def decide(
    decision: Annotated[str, typer.Argument(metavar="DECISION")],
    options: Annotated[list[str], typer.Argument(metavar="OPTION…", help="Labels, or a,b.")],
    thread: Of = None,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Answer a decision of the plan."""
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    answer = choosing.decided(client, view, decision, options, content)
    if as_json:
        print_json(answer)
    else:
        say(answer["message"])


@app.command()
def retry(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task's id in its plan.")],
    thread: Of = None,
    as_json: Json = False,
) -> None:
    """Run a failed, cancelled or blocked task again, with a new session."""
    tell(thread, "tasks", task, "retry", body={}, as_json=as_json)
