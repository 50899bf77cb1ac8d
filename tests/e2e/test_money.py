"""Money from end to end: agents that tell cost, tokens or nothing, a limit in the middle, and a killed worker."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.engine import Engine, until
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

DOLLAR = 1_000_000
COST = {"sessionUpdate": "usage_update", "used": 10, "size": 1000}
PRICED = """\
command: ["${treadle}", scripted-agent]
set_environment: {TREADLE_SCRIPTED_STATE: "${home}"}
provider: anthropic
is_scripted: true
"""
"""An agent whose tokens have list prices."""


def task(name: str, **more: Any) -> dict[str, Any]:
    step = {"type": "file_exists", "label": "written", "path": f"{name}.txt"}
    return {"id": name, "title": name, "gate": "auto", "verification": [step], **more}


def work(name: str, *first: dict[str, Any]) -> dict[str, Any]:
    steps = [{"write": f"{name}.txt", "text": "done\n"}, *first]
    steps += [{"call": "report_done", "with": {"summary": name}}]
    return {"when": {"task": name, "prompt": "task"}, "steps": steps}


def told(usd: float) -> dict[str, Any]:
    return {"update": {**COST, "cost": {"amount": usd, "currency": "USD"}}}


def scenario(tasks: list[dict[str, Any]], *rules: dict[str, Any]) -> dict[str, Any]:
    plan = {"goal": "Spend", "approach": "One after the other.", "tasks": tasks}
    planner = {
        "when": {"prompt": "planner"},
        "steps": [told(0), {"call": "propose_plan", "with": {"plan": plan}}],
    }
    return {"name": "money", "rules": [planner, *rules]}


@pytest.fixture
async def paying(tmp_path: Path) -> AsyncIterator[Engine]:
    """An engine with a limit of one dollar a month."""
    (tmp_path / "engine").mkdir()
    engine = Engine(tmp_path / "engine", money={"month_usd": 1.0, "turn_usd": 0.1})
    (engine.config / "agents" / "priced.yaml").write_text(PRICED)
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


async def begun(engine: Engine, http: httpx.AsyncClient, folder: Path, script: Any) -> Job:
    job = Job(engine, http, folder)
    job.repository = make_repository(folder / "shop", script)
    await job.begin()
    return job


async def test_a_limit_is_reached_in_the_middle_and_raised_over_a_killed_worker(
    paying: Engine, tmp_path: Path
) -> None:
    later = task("later", depends_on=["first", "silent"])
    script = scenario(
        [task("first"), task("silent"), later],
        work("first", told(1.1)),
        work("silent"),
        work("later", told(0.2)),
    )
    async with paying.http() as http:
        job = await begun(paying, http, tmp_path, script)
        delayed = (await job.seen("turn_delayed", "later")).model_dump()
        items = (await http.get("/v1/inbox")).json()["items"]
        [item] = [each for each in items if each["kind"] == "limit"]
        paying.kill("worker")
        await paying.start("worker")
        skipped = await http.post(
            f"/v1/threads/{job.thread}/tasks/later/skip-wait", json={"command_id": "skip"}
        )
        assert skipped.status_code == 200, skipped.text
        await job.seen("turn_delayed", "later", number=2)
        answer = {
            "request_id": item["limit"]["request"]["request_id"],
            "content_hash": item["limit"]["content_hash"],
        }
        planted = await http.post("/v1/money/raise", json={**answer, "content_hash": "0", "usd": 9})
        shown = paying.run("treadle", "money")
        raised = paying.run("treadle", "money", "raise", answer["request_id"], "5")
        await job.seen("plan_completed")
        view = await job.view()
        money = (await http.get("/v1/money")).json()
        report = (await http.get("/v1/report")).json()

    assert delayed["provider"] == "a spending limit"
    assert delayed["reason"].startswith("the limit for all work in ")
    assert "1 turn of unknown cost" in item["subject"]
    assert planted.status_code == 409
    assert "$1.10" in shown.stdout
    assert raised.returncode == 0, raised.stderr
    assert (view["money"]["told"], view["money"]["unknown"]) == (1_300_000, 1)
    assert money["asked"] == []
    assert (money["standing"][0]["spent"], money["standing"][0]["reserved"]) == (1_300_000, 0)
    assert report["by_month"][0]["money"]["told"] == 1_300_000
    assert [each["task_id"] for each in view["tasks"] if each["money"]["unknown"]] == ["silent"]


async def test_a_worker_killed_in_a_turn_reserves_and_settles_once(
    paying: Engine, tmp_path: Path
) -> None:
    held, seen = paying.outside / "go", paying.outside / "there"
    script = scenario(
        [task("slow")],
        work("slow", told(0.3), {"run": f"touch {seen}"}, {"wait": {"file": str(held)}}),
    )
    script["rules"].append(
        {
            "when": {"task": "slow", "prompt": "interrupted"},
            "steps": [told(0.4), {"call": "report_done", "with": {"summary": "slow"}}],
        }
    )
    async with paying.http() as http:
        job = await begun(paying, http, tmp_path, script)
        await until(seen.exists)
        before = (await http.get("/v1/money")).json()["standing"][0]
        paying.kill("worker")
        held.touch()
        await paying.start("worker")
        await job.seen("plan_completed")
        after = (await http.get("/v1/money")).json()["standing"][0]
        rows = (await http.get("/v1/threads")).json()["threads"]

    assert before["reserved"] == DOLLAR // 10
    assert (after["reserved"], after["unknown"]) == (0, 1), "what the killed worker saw is lost"
    assert after["spent"] <= 700_000, "each part once"
    assert rows[0]["money"]["told"] == after["spent"]


async def test_tokens_alone_are_priced_by_the_bundled_list(paying: Engine, tmp_path: Path) -> None:
    counted = {"usage": {"input": 20_000, "output": 1_000}}
    own = {"agent": "priced", "model": "claude-sonnet-4-5"}
    script = scenario([task("priced", **own)], work("priced", counted))
    async with paying.http() as http:
        job = await begun(paying, http, tmp_path, script)
        await job.seen("plan_completed")
        [shown] = (await job.view())["tasks"]

    assert shown["money"]["priced"] == 75_000
    assert shown["money"]["prices"].startswith("genai-prices ")
