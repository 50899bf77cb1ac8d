"""A thread on the URL of a repository: this host has no checkout of it, and the work goes back to the origin."""

import pytest

from tests.e2e.engine import until
from tests.e2e.job import Job, git, make_repository
from tests.e2e.test_flows import still

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


@pytest.fixture
def by_url(job: Job) -> Job:
    """The main job, by the URL of a bare repository."""
    origin = job.repository.with_name("origin.git")
    git(job.repository, "clone", "--quiet", "--bare", ".", str(origin))
    job.origin = origin
    job.named = f"file://{origin}@main"
    return job


def copies(job: Job) -> dict[str, str]:
    """Return the refs of Treadle's that are on the hub, which is the origin."""
    listed = git(job.origin, "for-each-ref", "--format=%(refname) %(objectname)", "refs/treadle/")
    return dict(line.split(" ") for line in listed.splitlines())


async def test_a_thread_on_a_url_is_planned_verified_merged_and_published(by_url: Job):
    job = by_url
    commit = git(job.origin, "rev-parse", "main").strip()
    job.repository = job.named
    await job.begin()
    await job.to_the_gate()
    await job.finish()

    view = await job.view()
    assert view["repository"] == f"file://{job.origin}@{commit}"
    merged = await job.http.get(f"/v1/threads/{job.thread}/changes")
    shown = {"commit": merged.json()["commit"], "target_commit": commit}
    refused = await job.http.post(f"/v1/threads/{job.thread}/merge", json=shown)
    assert (refused.status_code, refused.json()["type"]) == (409, "treadle:wrong_state")
    assert "publish the branch" in refused.json()["detail"]

    merged = await job.http.get(f"/v1/threads/{job.thread}/changes")
    await until(lambda: merged.json()["commit"] in copies(job).values())
    assert any(ref.endswith("/generation") for ref in copies(job))
    assert any(f"/treadle/{job.thread}/left/1/" in ref for ref in copies(job))

    await job.post(f"/v1/threads/{job.thread}/publish", {"wants_pull_request": False})
    await job.seen("branch_published")
    files = git(job.origin, "ls-tree", "--name-only", view["branch"]).split()
    assert {"left.txt", "right.txt", "both.txt"} < set(files)
    assert git(job.origin, "rev-parse", "main").strip() == commit

    body = {"is_forced": True}
    deleted = await job.http.request("DELETE", f"/v1/threads/{job.thread}", json=body)
    assert deleted.is_success, deleted.text
    await until(lambda: copies(job) == {})


async def test_what_cannot_be_opened_is_refused_with_a_name(by_url: Job):
    job = by_url
    for named, kind in (
        (f"file://{job.origin}@nowhere", "unknown_ref"),
        (f"file://{job.origin}x", "repository_access_refused"),
        ("ssh://127.0.0.1:1/a.git", "repository_unreachable"),
        ("https://ann:secret@git.example/a.git", "invalid_repository_url"),
        ("ext::sh -c id", "invalid_repository_url"),
    ):
        body = {"repository": named, "goal": "x", "agent": "scripted"}
        answer = await job.http.post("/v1/threads", json=body)
        assert (answer.status_code, answer.json()["type"]) == (422, f"treadle:{kind}"), named
        assert "secret" not in answer.text


async def test_a_flow_runs_on_a_url_and_its_work_is_on_the_hub(by_url: Job):
    job = by_url
    work = job.repository.with_name("work")
    yes = [{"say": '{"answer": "yes"}'}]
    rules = [
        {"when": {"prompt": "flow-question"}, "steps": yes},
        {"when": {}, "steps": [{"run": "echo hello >> hello.txt"}, {"say": "Fine."}]},
    ]
    make_repository(work, {"name": "flow", "rules": rules})
    git(work, "push", "--quiet", str(job.origin), "main:flows")
    commit = git(work, "rev-parse", "main").strip()

    named = f"file://{job.origin}@flows"
    begun = await job.post("/v1/flows/hello/runs", {"working_folder": named, "agent": "scripted"})
    run = begun["conversation_id"]
    shown = await still(job.http, run)
    assert (shown["status"], shown["repository"]) == (
        "completed",
        f"file://{job.origin}@{commit}",
    ), shown

    def on_the_hub() -> list[str]:
        refs = [ref for ref in copies(job) if run in ref and ref.endswith(shown["branch"])]
        return [git(job.origin, "show", f"{ref}:hello.txt") for ref in refs]

    await until(lambda: on_the_hub() == ["hello\nhello\n"])  # a copy that takes long is made later

    deleted = await job.http.request("DELETE", f"/v1/flow-runs/{run}", json={"is_forced": True})
    assert deleted.is_success, deleted.text
    await until(lambda: copies(job) == {})
