"""`treadle journal repair`: damaged events as Temporal's history has them."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field

import typer
from temporalio.client import Client
from temporalio.service import RPCError

from adapters.files.key_ring import KeyRing, KeyRingError
from adapters.journal import SqlJournal, open_journal
from adapters.journal_file import journal_file
from adapters.redaction import Redactor
from adapters.temporal import connect, read_history_events
from api.core.redaction import make_redactor
from cli.core.console import print_json, say
from domain.core.errors import JournalError
from domain.core.event import JournaledEvent
from domain.core.ids import EventId
from domain.core.text import counted
from settings import Settings
from treadle.damage import describe_damaged_event
from treadle.engine import EngineError


@dataclass
class Repaired:
    """Which damaged events were brought back, and which could not be."""

    rebuilt: list[JournaledEvent] = field(default_factory=list[JournaledEvent])
    lost: list[JournaledEvent] = field(default_factory=list[JournaledEvent])


def repair(settings: Settings, *, as_json: bool) -> None:
    """Bring damaged events back and say which; exit code 1 where one could not be."""
    try:
        done = asyncio.run(_repair(settings))
    except (EngineError, JournalError, KeyRingError) as error:
        say(f"treadle journal repair: {error}", style="red")
        raise typer.Exit(1) from None
    if as_json:
        print_json({name: [_named(each) for each in found] for name, found in vars(done).items()})
    else:
        _tell(done)
    if done.lost:
        raise typer.Exit(1)


async def rebuild(journal: SqlJournal, client: Client, redactor: Redactor) -> Repaired:
    """Put back what Temporal still has, redacted as it was when it was journaled first."""
    done = Repaired()
    of_stream = defaultdict[str, list[JournaledEvent]](list)
    for damaged in (await journal.repairs.look()).damaged:
        of_stream[damaged.event.stream].append(damaged)
    for stream, events in of_stream.items():
        wanted: set[EventId] = {damaged.event.id for damaged in events}
        found = await read_history_events(client, stream, wanted)
        for damaged in events:
            event = found.get(damaged.event.id)
            if event is None:
                done.lost.append(damaged)
                continue
            clean = event.model_copy(update={"body": redactor.model(event.body)})
            await journal.repairs.rebuild(damaged.position, clean)
            done.rebuilt.append(damaged)
    return done


async def _repair(settings: Settings) -> Repaired:
    file = journal_file(settings.journal)
    if file is not None and not file.exists():
        raise EngineError(f"no journal at {file}")
    async with open_journal(settings.journal) as journal:
        if not (await journal.repairs.look()).damaged:
            return Repaired()
        if not settings.payload_key_file.exists():
            raise EngineError(
                f"{settings.payload_key_file} is missing: Temporal's data cannot be read without it"
            )
        try:
            client = await connect(settings.temporal_port, KeyRing(settings.payload_key_file))
            return await rebuild(journal, client, make_redactor(settings))
        except (RuntimeError, RPCError) as error:
            raise EngineError(
                f"Temporal, which has the events, is not reachable: run `treadle up --detach` first ({error})"
            ) from error


def _tell(done: Repaired) -> None:
    if not done.rebuilt and not done.lost:
        say("No damaged events.")
    for damaged in done.rebuilt:
        say(f"rebuilt: {describe_damaged_event(damaged)}", style="green")
    for damaged in done.lost:
        say(
            f"not rebuilt: {describe_damaged_event(damaged)}; Temporal does not have it",
            style="yellow",
        )
    if done.lost:
        lost = counted(len(done.lost), "event")
        say(
            f"{lost} stays damaged: agent output, and work older than Temporal's retention, exist in the "
            "journal only. Restore a backup with `treadle restore BACKUP`"
        )


def _named(damaged: JournaledEvent) -> dict[str, object]:
    event = damaged.event
    return {"position": damaged.position, "stream": event.stream, "id": event.id}
