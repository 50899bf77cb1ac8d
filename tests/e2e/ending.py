"""How a job ended: what must be the same whatever was killed on the way."""

import re
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass

from domain.conversations.events import PromptSent
from domain.core.event import JournaledEvent
from domain.reading.projection import ThreadFold
from domain.threads.events import MergeStepEnded
from tests.e2e.engine import Engine, until
from tests.e2e.job import Job, git

INTERRUPTED = "# Treadle: interrupted"


@dataclass(frozen=True)
class Ending:
    """What a job leaves for a person, and how often each of its steps ran."""

    plan: str
    files: tuple[str, ...]
    commits: dict[str, tuple[str, ...]]
    merges: tuple[str, ...]
    story: dict[str, tuple[str, ...]]
    steps: Counter[str]


async def ending(job: Job) -> Ending:
    """Return how a finished job ended."""
    view = await job.view()
    branch = view["branch"]
    merges = git(job.repository, "log", "--format=%(trailers:key=Treadle-Merge,valueonly)", branch)
    return Ending(
        plan=view["plan_status"],
        files=_files(job, branch),
        commits={task["task_id"]: _attempts(job, task["branch"]) for task in view["tasks"]},
        merges=tuple(sorted(line.partition("/")[2] for line in merges.split())),
        story={
            task["task_id"]: _kinds(job, f"{job.thread}/{task['task_id']}")
            for task in view["tasks"]
        },
        steps=Counter(job.stage.steps()) - _on_merged_trees(job),
    )


def _on_merged_trees(job: Job) -> Counter[str]:
    """Return the steps that ran once more on a merge's tree: whose, the order of merges decides."""
    bodies = (journaled.event.body for journaled in job.events)
    return Counter(f"{b.task_id}.verify" for b in bodies if isinstance(b, MergeStepEnded))


def _files(job: Job, branch: str) -> tuple[str, ...]:
    """Return the merged tree without the scenario, which names this test's own folder."""
    lines = git(job.repository, "ls-tree", "-r", branch).splitlines()
    return tuple(line for line in lines if ".treadle/" not in line)


def _attempts(job: Job, branch: str) -> tuple[str, ...]:
    """Return the attempts that a task's own commits are marked with, the oldest first."""
    form = "--format=%(trailers:key=Treadle-Task,valueonly,separator=) %(trailers:key=Treadle-Attempt,valueonly,separator=)"
    log = git(job.repository, "log", "--reverse", "--first-parent", form, branch)
    task = branch.rpartition("--")[2]
    return tuple(line.split()[1] for line in log.splitlines() if line.split()[:1] == [task])


def _kinds(job: Job, stream: str) -> tuple[str, ...]:
    return tuple(j.event.body.kind for j in job.events if j.event.stream == stream)


async def assert_whole(job: Job) -> None:
    """Assert that the journal is whole: each event once, in order, and what is shown follows from it."""
    answer = await job.http.get(f"/v1/threads/{job.thread}/events", params={"limit": 1000})
    pages = [JournaledEvent.model_validate(row) for row in answer.json()["events"]]
    assert pages[: len(job.events)] == job.events, "the stream and the pages tell the same"
    positions = [journaled.position for journaled in pages]
    assert positions == sorted(set(positions))
    assert max(Counter(journaled.event.id for journaled in pages).values()) == 1
    for stream, numbers in _numbers(pages).items():
        assert numbers == sorted(numbers), f"{stream} is out of order"
    fold = ThreadFold(job.thread)
    for journaled in pages:
        fold.add(journaled)
    by_the_api = {"requests": [], "signal_lines": {}}
    assert fold.view().model_dump(mode="json") == {**await job.view(), **by_the_api}


def _numbers(pages: list[JournaledEvent]) -> dict[str, list[int]]:
    """Return the numbers that each workflow gave its events, in the journal's order."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for journaled in pages:
        if found := re.fullmatch(r"(.*)\.(\d+)", journaled.event.id):
            numbers[found[1]].append(int(found[2]))
    return numbers


def assert_prompted_once(job: Job) -> None:
    """Assert that no prompt was sent twice; to be told of the interruption is another prompt."""
    sent = [j.event.body for j in job.events if isinstance(j.event.body, PromptSent)]
    asked = Counter(body.turn_id for body in sent if not body.text.startswith(INTERRUPTED))
    assert set(asked.values()) == {1}
    assert asked.keys() == {body.turn_id for body in sent}


async def assert_nothing_left(job: Job) -> None:
    """Assert that the job holds no process, no worktree and no port any more."""
    engine = job.engine
    await engine.emptied(str(job.repository))  # chats that other tests left keep their agents
    await until(lambda: len(git(job.repository, "worktree", "list").splitlines()) == 1)
    left = [owner for owner in _leases(engine) if owner.startswith(f"{job.thread}/")]
    assert left == []  # threads that other tests left open hold theirs
    await until(lambda: not _activities(job))  # the newest event's own ends after it


def _activities(job: Job) -> list[str]:
    """Return the activities of a job that are under way, as its worker wrote them down."""
    found: list[str] = []
    for file in (job.engine.settings.data_dir / "activities").glob("*.json"):
        with suppress(FileNotFoundError):
            found.append(file.read_text())
    return [text for text in found if f'"workflow_id":"{job.thread}' in text]


def _leases(engine: Engine) -> list[str]:
    table = engine.settings.data_dir / "ports.json"
    return re.findall(r'"owner":"([^"]*)"', table.read_text()) if table.exists() else []
