"""How long the lists take on an engine with many parked threads: through the API's routes, without Temporal.

    python bench/journal/listing.py [threads] [folder]
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[2]))

from adapters.journal import open_journal
from api.app import create_app
from domain.conversations.events import AgentNotice
from domain.core.event import Event, Headline
from settings import Settings
from tests.api.test_reading import planned

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
CHATTER = 20
BATCH = 25
ROUNDS = 15


def thread(number: int) -> tuple[list[Event], list[Headline]]:
    """Return a thread that waits for the approval of its plan, with a planner's session."""
    stream, at = f"thread-work-{number:05}", BEGAN + timedelta(minutes=number)
    session = f"{stream}/session-1"
    bodies = [e.body for e in planned()]
    events = [Event(id=f"{stream}:{n}", stream=stream, at=at, body=b) for n, b in enumerate(bodies)]
    notices = [AgentNotice(turn_id="t", message=f"notice {n} " * 20) for n in range(CHATTER)]
    events += [Event(id=f"{session}:{n}", stream=session, at=at, body=b) for n, b in enumerate(notices)]
    said = {"title": f"Work number {number}", "goal": f"Do the work {number} well", "total": 5}
    project = f"/srv/repositories/project-{number % 10}"
    top = Headline(stream=stream, kind="thread", status="waiting", waiting_for="approval of the plan", project=project, **said)
    planner = Headline(stream=session, kind="session", status="idle", title="planner", project=project)
    return events, [top, planner]


async def fill(url: str, count: int) -> float:
    """Park threads; returns the seconds that took."""
    began = time.perf_counter()
    async with open_journal(url) as journal:
        for first in range(0, count, BATCH):
            made = [thread(n) for n in range(first, min(first + BATCH, count))]
            await journal.append([e for events, _ in made for e in events], [h for _, lines in made for h in lines])
    return time.perf_counter() - began


async def timed(http: httpx.AsyncClient, path: str, rounds: int = ROUNDS) -> None:
    """Print how long a request takes."""
    took, size = list[float](), 0
    for _ in range(rounds):
        began = time.perf_counter()
        answer = await http.get(path)
        took.append((time.perf_counter() - began) * 1000)
        answer.raise_for_status()
        size = len(answer.content)
    took.sort()
    print(f"{path:48} first or only {took[-1]:8.1f}  median {statistics.median(took):8.1f} ms  {size:>9} bytes", flush=True)


async def main() -> None:
    """Fill a journal where it is empty, then list it."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp(prefix="treadle-bench-"))
    os.environ["TREADLE_CONFIG_DIR"] = str(folder / "config")
    settings = Settings(data_dir=folder / "data", temporal_port=1, is_temporal_ui_on=False)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    if not (folder / "filled").exists():
        print(f"{count} threads parked in {await fill(settings.journal, count):.1f} s")
        (folder / "filled").touch()
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        headers = {"Authorization": f"Bearer {settings.token_file.read_text().strip()}"}
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=settings.api_url, headers=headers, timeout=300) as http:
            await timed(http, "/v1/inbox", 1)
            await timed(http, "/v1/inbox")
            async with open_journal(settings.journal) as journal:
                for number in range(3):
                    body = AgentNotice(turn_id="t", message="one more")
                    await journal.append([Event(id=f"new-{time.time_ns()}", stream=f"thread-work-{number:05}", at=BEGAN, body=body)])
            await timed(http, "/v1/inbox", 1)
            for query in ("", "?limit=200", "?status=waiting", "?status=running", "?project=project-3", "?q=number+4321", "?q=nothing+like+it", "?after=3000&limit=100", "?archived=true"):
                await timed(http, f"/v1/threads{query}")


if __name__ == "__main__":
    asyncio.run(main())
