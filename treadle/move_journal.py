"""`treadle move-journal`: the journal in another database, SQLite or PostgreSQL."""

import asyncio

import typer
from sqlalchemy import make_url

from adapters.journal import Moved, move_journal
from cli.core.console import messages, print_json, say
from domain.core.errors import JournalError
from domain.core.text import counted
from settings import Settings
from treadle.engine import EngineError, engine_lock
from treadle.restore import refuse_a_running_engine, refuse_a_running_worker


def move(settings: Settings, target: str, *, as_json: bool) -> None:
    """Copy the journal to a URL, and say how it is used from now on; exit code 1 where that cannot be done."""

    def tell(moved: Moved) -> None:
        if not as_json:
            messages.print(f"{moved.table}: {counted(moved.rows, 'row')}")

    try:
        with engine_lock(settings) as is_ours:
            refuse_a_running_engine(settings, is_ours=is_ours)
            refuse_a_running_worker(settings)
            moved = asyncio.run(move_journal(settings.journal, target, tell))
    except (EngineError, JournalError) as error:
        say(f"treadle move-journal: {error}", style="red")
        raise typer.Exit(1) from None
    if as_json:
        print_json({"tables": dict(moved)})
        return
    shown = make_url(target).render_as_string(hide_password=True)
    messages.print(
        f"Copied and compared. Set TREADLE_JOURNAL_URL to {shown} on every host, then start the engine. "
        "The old journal is as it was: keep it until you have seen the new one work."
    )
