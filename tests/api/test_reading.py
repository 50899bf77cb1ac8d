import pytest

from adapters.temporal import is_polled
from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded, TurnStarted
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject, decision_code
from domain.core.workspaces import RepositoryFacts, Snapshot
from domain.plans.plan import Plan, PlannedTask
from domain.plans.templates.template import PlanTemplate
from domain.tasks.events import TaskOpened
from domain.tasks.status import TaskStatus
from domain.threads.events import PlanDecided, PlanProposed, PlanStarted, TaskUpdated, ThreadOpened
from settings import user_name
from tests.api.conftest import event, headline

PLAN = Plan(goal="g", tasks=(PlannedTask(id="t1", title="one"),))


def planned():
    """The events of a thread whose plan waits for its approval."""
    opened = ThreadOpened(
        goal="g",
        agent="scripted",
        facts=RepositoryFacts(root="/somewhere", head="c"),
        template=PlanTemplate(name="default"),
        branch="treadle/g",
    )
    request = ApprovalRequest(
        request_id="plan-1", subject=Subject.PLAN, title="g", content_hash=PLAN.content_hash
    )
    proposed = PlanProposed(revision=1, session_id="s", plan=PLAN, request=request)
    return [event(0, body=opened), event(1, body=proposed)]


def started():
    """The events after that, up to the run of its only task."""
    outcome = Outcome(
        request_id="plan-1", choice=Choice.APPROVE, content_hash=PLAN.content_hash, by="ann"
    )
    running = TaskUpdated(
        plan_id="plan-1",
        task_id="t1",
        old_status=TaskStatus.PENDING,
        new_status=TaskStatus.RUNNING,
        run=1,
    )
    bodies = (
        PlanDecided(revision=1, outcome=outcome),
        PlanStarted(plan_id="plan-1", goal="g", tasks=("t1",)),
        running,
    )
    return [event(number, body=body) for number, body in enumerate(bodies, 2)]


@pytest.fixture
def journal(down_app):
    return down_app.state.journal


async def test_threads_are_listed_the_latest_changed_first_with_temporal_away(down_client, journal):
    for name, status in (("thread-a", "paused"), ("thread-b", "running"), ("thread-c", "running")):
        await journal.append([event(0, name)], [headline(name, status=status, title=f"Do {name}")])

    listed = (await down_client.get("/v1/threads")).json()
    active = (await down_client.get("/v1/threads?status=running&q=THREAD-B")).json()
    first = (await down_client.get("/v1/threads?limit=2")).json()
    rest = (await down_client.get(f"/v1/threads?limit=2&after={first['next']}")).json()

    assert [t["stream"] for t in listed["threads"]] == ["thread-c", "thread-b", "thread-a"]
    assert [t["stream"] for t in active["threads"]] == ["thread-b"]
    assert [t["stream"] for t in first["threads"] + rest["threads"]] == [
        "thread-c",
        "thread-b",
        "thread-a",
    ]
    assert listed["next"] is rest["next"] is None
    assert listed["position"] >= max(line["changed"] for line in listed["threads"])


async def test_events_of_a_thread_and_of_what_is_below_it_come_in_pages(down_client, journal):
    await journal.append([event(0), event(1, "thread-a/t1"), event(0, "thread-b"), event(2)])

    first = (await down_client.get("/v1/threads/thread-a/events?limit=2")).json()
    rest = (await down_client.get(f"/v1/threads/thread-a/events?after={first['after']}")).json()

    ids = [e["event"]["id"] for e in first["events"] + rest["events"]]
    assert ids == ["thread-a:0", "thread-a/t1:1", "thread-a:2"]


async def test_a_thread_shows_its_plan_and_the_line_that_approves_it(
    down_client, down_app, settings, journal
):
    await journal.append(planned())

    shown = (await down_client.get("/v1/threads/thread-a")).json()

    code = decision_code(
        down_app.state.key.read(),
        *("thread-a", "plan-1", "approve", PLAN.content_hash),
        by=user_name(),
    )
    line = shown["requests"][0]["signal_lines"]["approve"]
    assert (shown["goal"], shown["status"]) == ("g", "waiting")
    assert f"--address 127.0.0.1:{settings.temporal_port} --workflow-id thread-a" in line
    assert code in line


async def test_showing_a_thread_again_shows_what_is_new(down_client, journal):
    await journal.append(planned())
    before = (await down_client.get("/v1/threads/thread-a")).json()
    await journal.append(started())
    after = (await down_client.get("/v1/threads/thread-a")).json()

    assert (before["status"], len(before["requests"])) == ("waiting", 1)
    assert (after["status"], after["requests"]) == ("running", [])
    assert [t["task_id"] for t in after["tasks"]] == ["t1"]


async def test_plans_are_listed_with_how_they_were_decided(down_client, journal):
    await journal.append([*planned(), *started()])

    listed = (await down_client.get("/v1/threads/thread-a/plans")).json()
    shown = (await down_client.get("/v1/threads/thread-a/plans/1")).json()
    missing = await down_client.get("/v1/threads/thread-a/plans/2")

    assert listed == [shown]
    assert (shown["parallel_groups"], shown["outcome"]["by"]) == ([["t1"]], "ann")
    assert missing.status_code == 404


async def test_a_task_s_diff_and_a_text_come_as_they_were_kept(down_client, journal):
    patch = "diff --git a/ü b/ü\n+<script>\n"
    reference = await journal.put_text(patch)
    snapshot = Snapshot(commit="c", tree="t", base="b", diff_ref=reference)
    ended = TurnEnded(session_id="s", result=TurnResult(turn_id="t", snapshot=snapshot))
    opened = TaskOpened(
        task=PLAN.tasks[0], run=1, session_id="s", agent="a", branch="b", max_retries=3
    )
    bodies = (
        opened,
        TurnStarted(session_id="s", turn_id="t", number=1, attempt=1, prompt_name="task"),
        ended,
    )
    of_task = [event(n, "thread-a/t1", body) for n, body in enumerate(bodies)]
    await journal.append([*planned(), *started()])
    early = await down_client.get("/v1/threads/thread-a/tasks/t1/diff")
    await journal.append(of_task)

    task = await down_client.get("/v1/threads/thread-a/tasks/t1")
    diff = await down_client.get("/v1/threads/thread-a/tasks/t1/diff")
    same = await down_client.get("/v1/threads/thread-a/tasks/t1/diff?commit=c")
    other = await down_client.get("/v1/threads/thread-a/tasks/t1/diff?commit=older")
    text = await down_client.get(f"/v1/texts/{reference}")

    assert same.text == patch
    assert (other.status_code, other.json()["type"]) == (409, "treadle:not_what_was_shown")
    assert early.status_code == 404
    assert task.json()["snapshot"]["diff_ref"] == reference
    assert diff.text == text.text == patch
    assert diff.headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/threads/thread-missing",
        "/v1/threads/thread-missing/events",
        "/v1/threads/thread-missing/events/stream",
        "/v1/threads/thread-missing/plans",
        "/v1/threads/thread-missing/tasks/t1/diff",
        "/v1/threads/THREAD-A",
        "/v1/threads/thread-a%00",
        "/v1/threads/thread-a%0a",
        "/v1/threads/thread-%ff",
        "/v1/threads/..%2fthread-a",
        "/v1/threads/thread-" + "a" * 5000,
        "/v1/threads/thread-a/tasks/T1",
        "/v1/texts/" + "0" * 64,
        "/v1/texts/..%2f..%2fetc%2fpasswd",
        "/v1/nothing",
    ],
)
async def test_what_is_not_there_is_not_found(down_client, journal, path):
    await journal.append([event(0)])
    answer = await down_client.get(path)
    assert (answer.status_code, answer.json()["type"]) == (404, "treadle:not_found")


@pytest.mark.parametrize(
    "query",
    ["limit=-1", "limit=nan", "limit=1e9", "limit=٣", "limit=1001", "after=x", f"after={2**70}"],
)
async def test_a_query_out_of_range_is_refused_with_the_fields_name(down_client, journal, query):
    await journal.append([event(0)])

    answer = await down_client.get(f"/v1/threads/thread-a/events?{query}")

    assert answer.status_code == 422
    assert answer.json()["field"] == query.split("=")[0]


async def test_health_says_that_temporal_is_away(down_client, journal):
    await journal.append([event(0)])
    found = (await down_client.get("/v1/health")).json()
    assert found == {"position": 1, "temporal": "down", "worker": "unknown"}


async def test_health_says_that_a_worker_is_there(client):
    found = (await client.get("/v1/health")).json()
    assert (found["temporal"], found["worker"]) == ("up", "up")


async def test_a_queue_that_nobody_asks_has_no_worker(temporal):
    assert not await is_polled(temporal, "nobody")


async def test_a_method_that_a_route_does_not_take_is_refused(down_client):
    for method in ("PUT", "TRACE", "FROB"):
        answer = await down_client.request(method, "/v1/threads", json={})
        assert (answer.status_code, answer.json()["type"]) == (405, "treadle:method_not_allowed")
