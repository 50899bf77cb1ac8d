"""The whole command line: cli/'s commands, and those that start processes or look at the machine.

What those need is heavy (Temporal's SDK), so it is imported when one of them is asked for.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.alone import AgentsHere
from cli.app import app
from cli.client import CommandError
from cli.console import Json, load_settings, say
from settings import Settings

Detach = Annotated[bool, typer.Option("--detach", "-d", help="Run in the background.")]
AcceptLoss = Annotated[
    bool,
    typer.Option(
        "--accept-loss",
        help="Begin anew what is gone: a database, or the keys. Its threads are lost.",
    ),
]
User = Annotated[
    str | None,
    typer.Option("--user", metavar="NAME", help="As root: run as this user, in its own folders."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Also over data that is there; it is kept aside.")
]
Crash = Annotated[bool, typer.Option("--crash", help="Kill the worker twice on the way.")]
Here = Annotated[bool, typer.Option("--here", help="Open its thread on the engine that runs.")]

journal = typer.Typer(no_args_is_help=True, help="Look after the journal.")
app.add_typer(journal, name="journal")


def run() -> None:
    """Run the command line; what cannot be done ends in a sentence and an exit code."""
    try:
        app(obj=_agents_here)
    except CommandError as error:
        say(f"treadle: {error}", style="red")
        sys.exit(error.code)
    except OSError as error:
        from adapters.disk_room import describe_error, is_full

        if not is_full(error):
            raise
        say(f"treadle: {describe_error(error, load_settings().data_dir)}", style="red")
        sys.exit(1)


def _agents_here(settings: Settings) -> AgentsHere:
    from treadle.agents_alone import AgentsAlone

    return AgentsAlone(settings)


@app.command()
def up(
    detach: Detach = False,
    accept_loss: AcceptLoss = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Start Temporal, the worker and the API, and keep them running; Ctrl-C stops them."""
    from treadle import up as engine

    if user is not None:
        engine.up_as(user)
    engine.up(load_settings(), is_detached=detach, is_loss_accepted=accept_loss, as_json=as_json)


@app.command()
def down(as_json: Json = False) -> None:
    """Stop the engine of this data directory; threads wait until the next `treadle up`."""
    from treadle import up as engine

    engine.down(load_settings(), as_json=as_json)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what this machine has and lacks for Treadle, and how to mend it."""
    from treadle import doctor as checks

    checks.doctor(load_settings(), as_json=as_json)


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The backup's file, or a folder for it.")],
    as_json: Json = False,
) -> None:
    """Save both databases and the keys in one file, while everything runs."""
    from treadle import backup as saving

    saving.backup(load_settings(), target, as_json=as_json)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file that `treadle backup` wrote.")],
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Put a backup back, all of it or nothing; the engine must be stopped."""
    from treadle import restore as bringing

    bringing.restore(load_settings(), source, is_forced=force, as_json=as_json)


@journal.command()
def repair(as_json: Json = False) -> None:
    """Bring damaged events back, as far as Temporal's history has them; the engine must run."""
    from treadle import journal_repair

    journal_repair.repair(load_settings(), as_json=as_json)


@app.command()
def demo(crash: Crash = False, here: Here = False, as_json: Json = False) -> None:
    """Have a whole job done on a small repository by the scripted agent.

    It has an engine of its own; with --here you see it through yourself, on the one that runs.
    """
    from treadle import demo as story

    if here:
        story.begin(load_settings(), as_json=as_json)
    else:
        story.demo(has_crashes=crash)
