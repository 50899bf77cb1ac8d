"""A process like a worker: runs turns of misbehaving agents, and says what became of them and of it.

Reads one case a line as JSON, answers with one line each.
"""

import asyncio
import json
import sys
import threading
import time
from pathlib import Path

import psutil

from activities.turn_recorder import TurnRecorder
from adapters.acp.limits import TurnLimits
from adapters.journal import open_journal
from domain.agents.agents import SessionRole
from domain.agents.limits.circling import CirclingLimits
from domain.conversations.events import AgentNotice
from domain.core.errors import AgentError
from domain.core.ids import SessionId
from tests.adapters.agent_lab import Recorder, open_lab
from tests.fakes import OpenFences

SAMPLE_SECONDS = 0.005
ME = psutil.Process()


class Memory:
    """The resident memory of this process before, and at most during a case."""

    def __enter__(self):
        self.before = self.peak = ME.memory_info().rss
        self._is_over = threading.Event()
        self._sampling = threading.Thread(target=self._sample)
        self._sampling.start()
        return self

    def __exit__(self, *_error):
        self._is_over.set()
        self._sampling.join()

    def _sample(self):
        while not self._is_over.wait(SAMPLE_SECONDS):
            self.peak = max(self.peak, ME.memory_info().rss)


async def play(lab, journal, case):
    """Run one turn of a case, recorded as a worker records it."""
    lab.session_id = SessionId(f"thread-x/task-1/{case['name']}")
    lab.scenario(*case.get("steps", ()), **case.get("scenario", {}))
    limits = {"tick_seconds": 0.05, "cancel_seconds": 0.3, "grace_seconds": 0.3}
    runner = lab.new_runner(
        limits=TurnLimits(
            **limits | case.get("limits", {}), circling=CirclingLimits(**case.get("circling", {}))
        ),
        initialize=case.get("initialize", 60),
    )
    call = lab.call(idle=case.get("idle", 100), role=SessionRole(case.get("role", "task")))
    recorder, seen = TurnRecorder(journal, call.turn, 1, OpenFences()), Recorder()

    async def record(body):
        await recorder.record(body)
        if isinstance(body, AgentNotice):
            await seen(body)

    started, answer, failure = time.monotonic(), "", ""
    with Memory() as memory:
        try:
            async with recorder.flushing():
                answer = (await runner.run_turn(call, record, lambda: None)).text
        except AgentError as error:
            failure = error.message
        await runner.close_all()
    return {
        "answer": answer,
        "failure": failure,
        "notices": seen.notices(),
        "events": len(await journal.read(lab.session_id, limit=100_000)),
        "left": len(lab.agents()),
        "grown_mib": (memory.peak - memory.before) / (1 << 20),
        "kept_mib": (ME.memory_info().rss - memory.before) / (1 << 20),
        "seconds": time.monotonic() - started,
    }


async def main(folder):
    async with (
        open_lab(folder) as lab,
        open_journal(f"sqlite:///{folder / 'journal.db'}") as journal,
    ):
        warm = {"name": "warm-up", "steps": [{"say": "hi"}]}
        await play(lab, journal, warm)
        say("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            say(json.dumps(await play(lab, journal, json.loads(line))))


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
