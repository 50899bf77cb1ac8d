"""Plays all scenarios with one agent, as many at once as it bears, and writes down how they went."""

import asyncio
import logging
import time
from collections.abc import Callable

import httpx

from tests.agents import chat_scenarios as chats
from tests.agents import scenarios as turns
from tests.agents import task_scenarios as tasks
from tests.agents.bench import Bench
from tests.agents.findings import Finding, Row

log = logging.getLogger(__name__)

Scenario = Callable[[Bench], turns.Shown]
Scenarios = dict[tuple[str, ...], Scenario]
BESIDE_EACH_OTHER: Scenarios = {
    ("edit", "command", "tool of ours", "planning"): turns.plan_and_work,
    ("cancel",): turns.cancelled,
    ("agent killed",): turns.agent_killed,
    ("quota",): turns.quota,
    ("overflow",): turns.overflow,
}
MORE_BESIDE_THEM: Scenarios = {
    ("mend", "learning"): tasks.mended,
    ("decision",): tasks.decided,
    ("terminal",): tasks.watched,
    ("chat",): chats.followed_up,
    ("switch",): chats.switched,
    ("shell",): chats.found_programs,
    ("usage",): chats.counted,
    ("usage, stopped",): chats.counted_until_stopped,
}
"""Scenarios that take as long again: `make test` goes through them with some agents only."""
AFTER_THE_OTHERS: Scenarios = {("worker killed", "question"): turns.worker_killed}
"""Scenarios that end what others need."""


async def play(bench: Bench, *, is_whole: bool) -> Row:
    """Return what was found of an agent: the scenarios that end the worker come last."""
    contender = bench.contender
    row = Row(agent=contender.name, package=contender.package)
    await _note(bench, row, ("install",), turns.installed)
    await _note(bench, row, ("try",), turns.tried)
    status = (await bench.http.get(f"/v1/agents/{contender.name}")).json()["status"]
    if seen := status["seen"]:
        row.version = seen["version"]
        row.capabilities = row.capabilities.model_validate(seen["capabilities"])
    beside = BESIDE_EACH_OTHER | (MORE_BESIDE_THEM if is_whole else {})
    for scenarios in (beside, AFTER_THE_OTHERS):
        await asyncio.gather(*(_note(bench, row, *each) for each in scenarios.items()))
    return row


async def _note(
    bench: Bench,
    row: Row,
    names: tuple[str, ...],
    scenario: Scenario,
) -> None:
    """Play what shows some scenarios together; one that fails fails those it told nothing of yet."""
    async with bench.at_once:
        started = time.monotonic()
        notes, failure = dict[str, str](), ""
        try:
            async for name, note in scenario(bench):
                notes[name] = note
        except (AssertionError, TimeoutError, httpx.HTTPError) as error:
            failure = str(error) or type(error).__name__
        seconds = round(time.monotonic() - started, 1)
    for name in names:
        is_passed = name in notes
        note = notes.get(name, bench.contender.cannot.get(name) or failure)
        row.findings[name] = Finding(is_passed=is_passed, note=note, seconds=seconds)
        log.warning("%s: %s: %s", row.agent, name, row.findings[name])
