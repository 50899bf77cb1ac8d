"""What `treadle doctor` says of damaged events of the journal."""

import asyncio
import sqlite3

from adapters.journal import DamageReport, look_at_file, open_journal
from domain.core.damage_events import EventDamaged
from domain.core.errors import JournalError
from domain.core.event import JournaledEvent
from domain.core.text import counted
from settings import Settings
from treadle.databases import database_files
from treadle.engine import EngineError
from treadle.finding import Finding

CHECK_SECONDS = 10.0
"""How long events are looked through: a million take about that long."""

_NAMED = 10
NAME = "journal events"


def damage_findings(settings: Settings) -> list[Finding]:
    """Name the damaged events by stream and position."""
    try:
        looked = _look(settings)
    except (EngineError, sqlite3.Error):
        return []  # told as a broken database
    except JournalError as error:
        return [Finding(name=NAME, is_well=False, fix=error.message)]
    if looked is None:
        return []
    found = (
        counted(looked.events, "event") if looked.is_all else f"the first {looked.events} events"
    )
    more = len(looked.damaged) - _NAMED
    named = [describe_damaged_event(damaged) for damaged in looked.damaged[:_NAMED]]
    damaged = ", ".join([*named, *([f"and {more} more"] if more > 0 else [])])
    return [
        Finding(
            name=NAME,
            is_well=not looked.damaged,
            found=found,
            fix=f"damaged: {damaged}. `treadle journal repair` rebuilds what Temporal still has",
        )
    ]


def describe_damaged_event(damaged: JournaledEvent) -> str:
    """Say which event is damaged."""
    body, stream = damaged.event.body, damaged.event.stream
    was = body.was.replace("_", " ") if isinstance(body, EventDamaged) else ""
    return f"position {damaged.position} of {stream}" + (f" ({was})" if was else "")


def _look(settings: Settings) -> DamageReport | None:
    """Look at a file from outside, and at a server's journal as its reader; None where there is none."""
    files = database_files(settings)
    if "journal" not in files:
        return asyncio.run(_look_at_server(settings))
    return look_at_file(files["journal"], CHECK_SECONDS) if files["journal"].exists() else None


async def _look_at_server(settings: Settings) -> DamageReport:
    async with open_journal(settings.journal) as journal:
        return await journal.repairs.look()
