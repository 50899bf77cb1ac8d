"""The commands that start processes or look at this machine.

What they need is heavy (Temporal's SDK), so each imports it when it runs.
"""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.console import Json, load_settings

app = typer.Typer()

Detach = Annotated[bool, typer.Option("--detach", "-d", help="Run in the background.")]
AcceptLoss = Annotated[
    bool,
    typer.Option(
        "--accept-loss",
        help="Start over without a missing database or keys; their threads are lost.",
    ),
]
User = Annotated[
    str | None,
    typer.Option("--user", metavar="NAME", help="As root: run as this user, in their folders."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace existing data; it is set aside, not deleted.")
]
Crash = Annotated[bool, typer.Option("--crash", help="Kill the worker twice during the demo.")]
Here = Annotated[bool, typer.Option("--here", help="Open the demo thread on the running engine.")]

journal = typer.Typer(no_args_is_help=True, help="Repair the journal.")
app.add_typer(journal, name="journal")


@app.command()
def up(
    detach: Detach = False,
    accept_loss: AcceptLoss = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Start the engine: Temporal, the worker and the API. Ctrl-C stops it."""
    from treadle import up as engine

    if user is not None:
        engine.up_as(user)
    engine.up(load_settings(), is_detached=detach, is_loss_accepted=accept_loss, as_json=as_json)


@app.command()
def down(as_json: Json = False) -> None:
    """Stop the engine; threads continue with the next `treadle up`."""
    from treadle import up as engine

    engine.down(load_settings(), as_json=as_json)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on, like 0.0.0.0.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 8443 by default.")] = None,
    public_url: Annotated[
        str | None, typer.Option(help="Address that people open, like https://treadle.example.org.")
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="File of the certificate and its chain, in PEM.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="File of its private key.")] = None,
    behind_proxy: Annotated[
        bool | None,
        typer.Option("--behind-proxy", help="A reverse proxy speaks TLS and forwards to this one."),
    ] = None,
) -> None:
    """Serve the API to a team, with TLS or behind a proxy.

    People are named in people.toml; the engine of `treadle up` stays on loopback.
    """
    given = locals().copy()
    from treadle import serve as team

    team.serve(load_settings(), given)


@app.command()
def doctor(
    as_json: Json = False,
    online: Annotated[
        bool, typer.Option("--online", help="Also sign in at each forge that has a token.")
    ] = False,
) -> None:
    """Check this machine for problems, and suggest fixes."""
    from treadle import doctor as checks

    checks.doctor(load_settings(), as_json=as_json, is_online=online)


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The backup file, or a folder for it.")],
    as_json: Json = False,
) -> None:
    """Back up both databases and the keys to one file, while everything runs."""
    from treadle import backup as backups

    backups.backup(load_settings(), target, as_json=as_json)


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file that `treadle backup` wrote.")],
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Restore a backup, all of it or nothing; the engine must be stopped."""
    from treadle import restore as backups

    backups.restore(load_settings(), source, is_forced=force, as_json=as_json)


@journal.command()
def repair(as_json: Json = False) -> None:
    """Rebuild damaged events from Temporal's history; the engine must be running."""
    from treadle import journal_repair

    journal_repair.repair(load_settings(), as_json=as_json)


@app.command("move-journal")
def move_journal(
    target: Annotated[
        str, typer.Argument(help="URL of an empty database: postgresql://… or sqlite:///FILE.")
    ],
    as_json: Json = False,
) -> None:
    """Copy the journal to another database, all of it or nothing; the engine must be stopped.

    Every row is compared. The journal stays where it is, too; TREADLE_JOURNAL_URL says which one is used.
    """
    from treadle import move_journal as moves

    moves.move(load_settings(), target, as_json=as_json)


@app.command()
def demo(crash: Crash = False, here: Here = False, as_json: Json = False) -> None:
    """Watch a complete job on a small repository, done by a scripted agent.

    It runs on an engine of its own; with --here you see it through yourself on the running engine.
    """
    from treadle import demo as story

    if here:
        story.begin(load_settings(), as_json=as_json)
    else:
        story.demo(has_crashes=crash)
