"""A worker in a process of its own, to be killed under a long thread: fake ports, a real journal."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from temporalio.client import Client

from adapters.files.key_ring import KeyRing
from adapters.host import until_stopped
from adapters.journal import open_journal
from adapters.temporal import plugin
from queues import workers
from tests.workflows.conftest import House


async def run(target: str, folder: Path) -> None:
    """Work until told to stop; every agent is done at once, and every step passes."""
    keys = KeyRing(folder / "payload.keys")
    client = await Client.connect(target, plugins=[plugin(keys)])
    async with open_journal(f"sqlite:///{folder}/journal.db") as journal:
        outside = replace(House(client, folder / "activities").ports(), journal=journal)
        shared, local = workers(client, outside, "killed", max_turns=64)
        async with shared, local:
            print("ready", flush=True)  # noqa: T201  (the test waits for it)
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(until_stopped(run(sys.argv[1], Path(sys.argv[2]))))
