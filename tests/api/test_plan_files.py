"""Plan files over REST: read from the journal, with no worker alive."""

import pytest

from domain.threads.plan_files.edits import PlanFileOp, StoredPlanFile
from domain.threads.plan_files.events import PlanArchived, PlanFileChanged, PlanFilesSet
from domain.threads.plan_files.files import PlanFile
from tests.api.conftest import event, headline
from tests.api.opening import opened_thread
from tests.api.test_reading import planned

FINDINGS = "# Findings\n\n<script>alert(1)</script> \x1b[2J é\n"
PATH = "/v1/threads/thread-a/plan-files"


@pytest.fixture
async def files(down_client, down_app):
    """A thread with one plan file and one archived plan."""
    journal = down_app.state.journal
    found = await journal.put_text(FINDINGS)
    old = await journal.put_text("# Old\n")
    changed = PlanFileChanged(
        which=PlanFile.FINDINGS,
        op=PlanFileOp.WRITE,
        size_bytes=len(FINDINGS.encode()),
        content_ref=found,
        session_id="thread-a/session-1",
    )
    archived = PlanArchived(
        name="plan-20260116-0217",
        files={PlanFile.TASK_PLAN: StoredPlanFile(size_bytes=6, content_ref=old)},
        session_id="thread-a/session-1",
    )
    bodies = (PlanFilesSet(is_on=True, by="ann"), archived, changed)
    events = [*planned(), *(event(number, body=body) for number, body in enumerate(bodies, 2))]
    await journal.append(events, [headline("thread-a")])
    return down_client


async def test_files_and_archived_plans_are_listed_and_read(files):
    listed = (await files.get(PATH)).json()
    text = await files.get(f"{PATH}/findings")
    old = await files.get(f"{PATH}/archive/plan-20260116-0217/task_plan")

    assert listed["is_on"] is True
    assert list(listed["files"]) == ["findings"]
    assert [plan["name"] for plan in listed["archived"]] == ["plan-20260116-0217"]
    assert (text.text, old.text) == (FINDINGS, "# Old\n")
    assert text.headers["content-type"] == "text/markdown; charset=utf-8"
    assert text.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("task_plan", "no_plan"),
        ("TASK_PLAN", "unknown_file"),
        ("findings.md", "unknown_file"),
        ("%2e%2e%2ffindings", "not_found"),
        ("archive", "unknown_file"),
        ("archive/plan-20260116-0218/task_plan", "no_plan"),
        ("archive/plan-20260116-0217/findings", "no_plan"),
        ("archive/..%2f..%2fthread-b/task_plan", "not_found"),
    ],
)
async def test_what_is_not_there_is_not_found(files, path, kind):
    answer = await files.get(f"{PATH}/{path}")
    assert (answer.status_code, answer.json()["type"]) == (404, f"treadle:{kind}")


async def test_a_thread_that_is_none_has_no_plan_files(down_client):
    assert (await down_client.get("/v1/threads/thread-none/plan-files")).status_code == 404


@pytest.mark.parametrize("body", [{}, {"is_on": "yes"}, {"is_on": 1}, {"is_on": True, "x": 1}])
async def test_on_and_off_are_said_plainly(files, body):
    assert (await files.post(PATH, json=body)).status_code == 422


async def test_a_person_turns_them_on(client):
    body = {"repository": "/r", "goal": "x", "command_id": "open", "plan_files": True}
    thread = opened_thread(await client.post("/v1/threads", json=body))
    body = {"is_on": True, "command_id": "on"}
    answer = await client.post(f"/v1/threads/{thread}/plan-files", json=body)
    assert answer.json()["message"] == "set_plan_files"
