"""The whole command line: cli/'s commands, and those that start processes or look at the machine."""

import sys
from collections.abc import Mapping
from typing import Any

import typer

from address import read_address, read_server
from cli.app import COMMANDS, root
from cli.core.console import load_settings, say
from cli.core.errors import CommandError
from cli.core.lazy import Lazy, LazyGroup

ENGINE = "Engine"
ENGINE_COMMANDS = {
    name: Lazy("treadle.engine_commands", summary, ENGINE)
    for name, summary in {
        "up": "Start the engine: Temporal, the worker and the API. Ctrl-C stops it.",
        "down": "Stop the engine; threads continue with the next `treadle up`.",
        "serve": "Serve the API to a team, with TLS or behind a proxy.",
        "doctor": "Check this machine for problems, and suggest fixes.",
        "backup": "Back up both databases and the keys to one file, while everything runs.",
        "restore": "Restore a backup, all of it or nothing; the engine must be stopped.",
        "journal": "Repair the journal.",
        "move-journal": "Copy the journal to another database, all of it or nothing; the engine must be stopped.",
        "demo": "Watch a complete job on a small repository, done by a scripted agent.",
    }.items()
}
ENGINE_COMMANDS["archives"] = Lazy(
    "treadle.archive_commands", "Archives of threads: list and check them.", ENGINE
)


class AllCommands(LazyGroup):
    """Every command."""

    lazy: Mapping[str, Lazy] = COMMANDS | ENGINE_COMMANDS


app: typer.Typer = root(AllCommands)


def run() -> None:
    """Run the command line; what cannot be done ends in a sentence and an exit code."""
    try:
        _say_where(sys.argv[1:2])
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


def _say_where(name: list[str]) -> None:
    """Say what a command of the engine is about, where others talk to a server elsewhere."""
    address = read_address() if {*name} & {*ENGINE_COMMANDS} else None
    server = address and read_server(address.data_dir)
    if server:
        words = f"`treadle {name[0]}` is about this machine, not about {server.url}, where you are signed in."
        say(words, style="dim")


def _agents_here(settings: Any) -> Any:
    """Return the agents of this machine, for commands that work without an engine."""
    from treadle.agents_alone import AgentsAlone

    return AgentsAlone(settings)
