"""Verification steps of one group run at the same time, and are refused where they can't."""

from pathlib import Path

import httpx
import pytest

from tests.e2e.engine import Engine
from tests.e2e.test_hidden_work import Hidden

pytestmark = pytest.mark.e2e

MEET = "touch {own}.here; until test -e {other}.here; do sleep 0.05; done"
WORK = [{"write": "answer.txt", "text": "right\n"}]


def step(label: str, command: str, **more) -> dict[str, object]:
    return {"type": "command", "label": label, "command": command, **more}


async def test_steps_that_wait_for_each_other_pass_in_the_order_of_the_plan(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    steps = [
        step("left", MEET.format(own="a", other="b") + "; sleep 0.5", parallelGroup="both"),
        step("right", MEET.format(own="b", other="a"), parallelGroup="both"),
        step("after", "test -e a.here && test -e b.here"),
    ]
    job = Hidden(engine, http, tmp_path, ("true", WORK), steps=[*steps])
    await job.begin()

    await job.seen("task_merged")
    (task,) = (await job.view())["tasks"]
    shown = engine.run("treadle", "show", job.thread, "value", timeout=60).stdout
    assert task["status"] == "completed", shown
    places = [shown.index(f"✓ {label}") for label in ("left", "right", "after")]
    assert places == sorted(places)
