"""Three agents do a small goal at once, a person takes one; whatever is killed, one is merged."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.engine import Engine, Stage
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

CANDIDATES = ("the-goal.a", "the-goal.b", "the-goal.c")


def scenario(stage: Stage) -> dict[str, Any]:
    """Each candidate writes the note in its own way; one of them is wrong once."""
    check = " && ".join(
        [stage.note("verify"), f"{{ {stage.place('verifying')}; }}", "grep -q note note.txt"]
    )
    plan = {
        "goal": "Write a note",
        "summary": "One note in note.txt.",
        "verification": [{"type": "command", "label": "note is right", "command": check}],
    }
    done = {"call": "report_done", "with": {"summary": "The note is there."}}
    return {
        "name": "note",
        "rules": [
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            *(
                {
                    "when": {"task": name, "prompt": "task"},
                    "steps": [
                        {"write": "note.txt", "text": f"{'noet' if name.endswith('c') else 'note'} by {name}\n"},
                        {"write": f"{name}.txt", "text": "own\n"},
                        {"run": stage.place(f"{name}.working")},
                        {"run": stage.note(f"{name}.worked")},
                        done,
                    ],
                }
                for name in CANDIDATES
            ),
            {
                "when": {"prompt": "verification-failed"},
                "steps": [{"write": "note.txt", "text": "note, fixed\n"}, done],
            },
            {
                "when": {"prompt": "gate-rejected"},
                "steps": [{"write": "note.txt", "text": "note, as you wish\n"}, done],
            },
        ],
    }  # fmt: skip


@pytest.fixture
def three(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "three", scenario(job.stage))
    return job


async def begin(job: Job, ends: str = "all") -> None:
    best_of = {"agents": [f"scripted:{name}" for name in "xyz"], "ends": ends}
    body = {
        "repository": str(job.repository),
        "goal": "Write a note",
        "agent": "scripted",
        "is_planned": True,
        "best_of": best_of,
        "planner": {"own_turns": 0},
        "max_parallel_tasks": 3,
    }
    job.thread = (await job.post("/v1/threads", body))["thread_id"]
    await job.approve(await job.seen("plan_proposed"))


async def take(job: Job, letter: str, number: int = 1) -> dict[str, Any]:
    shown = (await job.seen("candidates_shown", number=number)).model_dump(mode="json")
    request = shown["request"]
    body = {name: request[name] for name in ("request_id", "content_hash")}
    return await job.post(f"/v1/threads/{job.thread}/tasks/the-goal.{letter}/take", body)


def kept_notes(job: Job) -> str:
    """Return all notes on any ref: of worktrees that were removed in a first turn, with a killed worker, too."""
    commits = git(job.repository, "log", "--all", "--format=%H", "--", "note.txt").split()
    return "".join(git(job.repository, "show", f"{commit}:note.txt") for commit in commits)


async def assert_one_merged(job: Job, letter: str, text: str) -> None:
    """One candidate's work is on the branch, and nothing of the others; those can still be read."""
    await job.seen("plan_completed")
    view = await job.view()
    branch = view["branch"]
    assert git(job.repository, "show", f"{branch}:note.txt") == text
    files = git(job.repository, "ls-tree", "--name-only", branch).split()
    assert [f for f in files if f.startswith("the-goal.")] == [f"the-goal.{letter}.txt"]
    merges = git(job.repository, "log", "--merges", "--format=%s", branch).splitlines()
    assert len(merges) <= 1
    [contest] = view["contests"]
    standings = {row["letter"].lower(): row["standing"] for row in contest["candidates"]}
    assert standings.pop(letter) == "merged"
    assert set(standings.values()) <= {"stopped", "failed"}
    for row in contest["candidates"]:
        shown = await job.http.get(f"/v1/threads/{job.thread}/tasks/{row['candidate']}/diff")
        assert "note.txt" in shown.text or row["candidate"] in kept_notes(job)
    assert git(job.repository, "worktree", "list").count("\n") == 1, "a worktree is left"


async def test_a_person_takes_one_of_three_and_reads_the_others(three: Job) -> None:
    await begin(three)
    await three.seen("candidates_shown")
    said = three.engine.run("treadle", "show", three.thread).stdout
    assert "scripted:x" in said
    assert f"treadle take {three.thread} the-goal.b" in said
    refused = three.engine.run("treadle", "approve", three.thread)
    assert refused.returncode != 0

    taken = three.engine.run("treadle", "take", three.thread, "B")

    assert taken.returncode == 0, taken.stderr
    await assert_one_merged(three, "b", "note by the-goal.b\n")


async def test_the_worker_is_killed_while_all_work(three: Job, engine: Engine) -> None:
    held = [f"{name}.working" for name in CANDIDATES]
    three.stage.hold(*held)
    await begin(three)
    for place in held:
        await three.stage.reached(place)
    await engine.kill_worker()
    three.stage.release(*held)
    await engine.repair()

    await take(three, "c")

    await assert_one_merged(three, "c", "note, fixed\n")


async def test_the_worker_is_killed_while_the_table_waits(three: Job, engine: Engine) -> None:
    await begin(three)
    await three.seen("candidates_shown")
    engine.kill("worker")
    await engine.repair()

    await take(three, "a")

    await assert_one_merged(three, "a", "note by the-goal.a\n")


@pytest.mark.parametrize("moment", ["before_merge", "after_merge"])
async def test_the_worker_is_killed_while_one_is_merged(
    three: Job, engine: Engine, moment: str
) -> None:
    await begin(three)
    await three.seen("candidates_shown")
    engine.stage.hold(moment)
    await take(three, "b")
    await engine.stage.reached(moment)
    engine.kill("worker")
    engine.stage.release(moment)
    await engine.repair()

    await assert_one_merged(three, "b", "note by the-goal.b\n")


async def test_files_of_one_with_the_rest_of_another_are_verified_and_taken(
    three: Job, engine: Engine
) -> None:
    await begin(three)
    await three.seen("candidates_shown")
    verified = three.stage.steps().count("verify")

    asked = three.engine.run(
        "treadle", "put-together", three.thread, "B", "A:the-goal.a.txt", "C:note.txt"
    )
    assert asked.returncode == 0, asked.stderr
    await three.seen("candidate_put_together")
    engine.kill("worker")
    await engine.repair()
    await take(three, "d", number=2)
    await three.seen("plan_completed")

    view = await three.view()
    files = git(three.repository, "ls-tree", "--name-only", view["branch"]).split()
    assert {"the-goal.a.txt", "the-goal.b.txt"} < set(files)
    assert "the-goal.c.txt" not in files
    assert git(three.repository, "show", f"{view['branch']}:note.txt") == "note, fixed\n"
    assert three.stage.steps().count("verify") > verified


async def test_the_others_are_stopped_at_the_first_that_passed(three: Job, engine: Engine) -> None:
    held = [f"{name}.working" for name in CANDIDATES if name != "the-goal.b"]
    three.stage.hold(*held)
    await begin(three, "first_passed")
    for place in held:
        await three.stage.reached(place)
    await three.seen("candidate_passed")
    engine.kill("worker")
    await engine.repair()

    await take(three, "b")
    await three.seen("plan_completed")

    assert not [step for step in three.stage.steps() if step.endswith(("a.worked", "c.worked"))]
    three.stage.release(*held)
    await assert_one_merged(three, "b", "note by the-goal.b\n")
