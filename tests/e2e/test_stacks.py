"""A stack of three pull requests on a forge double, merged from below; the worker is killed while one moves."""

from typing import Any

import pytest

from tests.e2e.forged import ForgedJob
from tests.e2e.holding import Held, lost
from tests.e2e.job import git
from tests.forge.world import Pull

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

EDITS = "PATCH /repos/{owner}/{repo}/pulls/{number}"
TASKS = ("first", "second", "third")


def _task(name: str, needs: list[str]) -> dict[str, Any]:
    check = {"type": "command", "label": f"{name} is there", "command": f"test -s {name}.txt"}
    return {
        "id": name,
        "title": f"Write {name}",
        "gate": "auto",
        "verification": [check],
        "dependsOn": needs,
    }


def _work(name: str) -> dict[str, Any]:
    steps = [
        {"write": f"{name}.txt", "text": f"{name}\n"},
        {"call": "report_done", "with": {"summary": f"{name} is there."}},
    ]
    return {"when": {"task": name, "prompt": "task"}, "steps": steps}


def scenario_of(**git: Any) -> dict[str, Any]:
    """Return a scenario whose plan is three tasks, one after the other; `git` is what it says of its pull requests."""
    plan = {
        "goal": "Write three notes",
        "summary": "Three notes, one after the other.",
        "git": git,
        "tasks": [_task(name, list(TASKS[:at][-1:])) for at, name in enumerate(TASKS)],
    }
    proposed = {
        "when": {"prompt": ["planner", "planner-feedback"]},
        "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
    }
    return {"name": "three notes", "rules": [proposed, *map(_work, TASKS)]}


@pytest.fixture(scope="module")
def forged_scenario() -> dict[str, Any]:
    return scenario_of(publish="tasks", delete_branch=True)


def files_of(job: ForgedJob, pull: Pull) -> list[str]:
    """Return what a pull request changes, as its forge shows it."""
    git(job.repository, "fetch", "--quiet", "--prune", "origin")
    names = git(job.repository, "diff", "--name-only", f"origin/{pull.base}...origin/{pull.head}")
    return names.split()


def check_all_merged(job: ForgedJob, pulls: list[Pull]) -> None:
    """Check that all work is on main once, and nothing else is left of the stack."""
    assert [pull.state for pull in pulls] == ["merged"] * 3
    assert sum(job.double.opened.values()) == 3
    git(job.repository, "fetch", "--quiet", "--prune", "origin")
    left = git(
        job.repository, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin"
    )
    assert left.split() == ["main"]
    for name in TASKS:
        assert git(job.repository, "show", f"origin/main:{name}.txt") == f"{name}\n"
    events = [each.event for each in job.events]
    stopped = [e for e in events if e.body.kind in {"layer_stopped", "publish_failed"}]
    assert stopped == []


async def test_three_tasks_are_merged_one_after_the_other_over_a_kill(forged: ForgedJob):
    job, double = forged, forged.double
    await job.begin()
    await job.seen("plan_completed")
    await job.post(f"/v1/threads/{job.thread}/publish", {})
    await job.seen("layer_noted", number=3)
    pulls = [double.pulls[double.path, number] for number in sorted(n for _, n in double.pulls)]
    first, second, third = pulls
    assert [pull.base for pull in pulls] == ["main", first.head, second.head]
    assert [files_of(job, pull) for pull in pulls] == [[f"{name}.txt"] for name in TASKS]
    assert "second is there" in second.body
    assert f"pull/{first.number}" in second.body
    assert f"pull/{third.number}" in second.body

    double.merge_by_hand(first, "squash")
    moving = Held(double, EDITS)
    await job.post(f"{job.place}/look", {})
    await lost(job, moving)
    await job.seen("layer_removed")
    assert (second.base, third.base) == ("main", second.head)
    assert files_of(job, second) == ["second.txt"]
    assert files_of(job, third) == ["third.txt"]
    shown = job.engine.run("treadle", "publish", "status", job.thread)
    assert "1. " in shown.stdout, shown.stdout
    assert shown.stdout.index("merged") < shown.stdout.index("Write second"), shown.stdout

    await job.seen("pull_request_seen", job.watch(second.number), number=2)
    at = ("--commit", second.commit, "--method", "merge")
    merged = job.engine.run("treadle", "publish", "merge", job.thread, *at)
    assert merged.returncode == 0, merged.stderr
    await job.seen("layer_removed", number=2)
    assert third.base == "main"
    assert files_of(job, third) == ["third.txt"]

    double.merge_by_hand(third, "squash")
    await job.post(f"{job.place}/look", {})
    await job.seen("layer_removed", number=3)

    check_all_merged(job, pulls)
