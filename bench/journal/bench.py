"""Events a second that a journal takes: streams append at once, from one process or several.

    python bench/journal/bench.py URL --processes 2 --streams 32 --seconds 5

The URL is of a journal that may be written to; each event has a text and a headline, as events of a turn have.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from adapters.journal import open_journal  # noqa: E402
from domain.conversations.events import AgentNotice  # noqa: E402
from domain.core.event import Event, Headline  # noqa: E402

TEXT = "The quick brown fox jumps over the lazy dog. " * 5


async def write(url, streams, seconds, begin):
    took = []
    async with open_journal(url) as journal:
        await asyncio.sleep(max(0, begin - time.time()))
        end = time.perf_counter() + seconds

        async def one(name):
            number = 0
            while time.perf_counter() < end:
                number += 1
                body = AgentNotice(turn_id=name, message=f"{number} {TEXT}")
                event = Event(id=f"{name}:{number}", stream=name, at=datetime.now(UTC), body=body)
                line = Headline(stream=name, kind="session", title=name, status=f"{number}")
                started = time.perf_counter()
                await journal.append([event], [line])
                took.append(time.perf_counter() - started)

        run = uuid.uuid4().hex[:8]
        await asyncio.gather(*(one(f"thread-{run}/session-{n}") for n in range(streams)))
    print(json.dumps([time.process_time(), *took]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--streams", type=int, default=32, help="of all processes together")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--begin", type=float)
    asked = parser.parse_args()
    if asked.begin is not None:
        asyncio.run(write(asked.url, asked.streams, asked.seconds, asked.begin))
        return
    share = asked.streams // asked.processes
    command = [sys.executable, __file__, asked.url, "--streams", str(share)]
    command += ["--seconds", str(asked.seconds), "--begin", str(time.time() + 4)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(asked.processes)]
    told = [json.loads(process.communicate()[0]) for process in running]
    took = [t for _, *each in told for t in each]
    cpu = sum(first for first, *_ in told) / len(took)
    p50, p99 = (statistics.quantiles(took, n=100)[at] * 1000 for at in (49, 98))
    print(
        f"{asked.processes} processes, {asked.streams} streams: {len(took) / asked.seconds:,.0f} events/s, "
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
        f"{cpu * 1000:.2f} ms of CPU an event with the start"
    )


if __name__ == "__main__":
    main()
