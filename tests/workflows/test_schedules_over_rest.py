"""Schedules and workflow templates over REST, to the very entries of the queue."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from api.app import create_app
from api.core.workflow_client import WorkflowClient
from domain.queue.inputs import QUEUE
from domain.threads.inputs import ThreadInput
from settings import Settings
from tests import fakes
from tests.workflows.conftest import House
from tests.workflows.test_refusals_over_rest import Person

GOAL = {"goal": "look at the links", "agent": "scripted"}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    top = tmp_path / "app"
    (top / ".git").mkdir(parents=True)
    (top / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (top / "src").mkdir()
    (top / ".treadle/workflow-templates").mkdir(parents=True)
    return top


@pytest.fixture
async def person(house: House, tmp_path: Path) -> AsyncIterator[Person]:
    """The API before the house's workflows, with a journal of its own."""
    settings = Settings(data_dir=tmp_path / "data", default_agent="scripted")
    app = create_app(settings, house.client)
    async with app.router.lifespan_context(app):
        app.state.workflows = WorkflowClient(house.client, fakes.FixedKey())
        token = settings.token_file.read_text().strip()
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app),
            base_url=settings.api_url,
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
        ) as http:
            yield Person(http, house, app.state.journal)


@pytest.fixture
async def schedules(person: Person) -> AsyncIterator[Person]:
    """Removes the one schedule that a test may add; a list may not have it yet."""
    yield person
    await person.http.request("DELETE", "/v1/schedules/nightly", json={})


async def add(person: Person, repository: Path, **more: object) -> tuple[int, dict[str, object]]:
    item = {"repository": str(repository), **GOAL}
    body = {"name": "nightly", "cron": "0 6 * * 1-5", "timezone": "UTC", "item": item, **more}
    answer = await person.http.post("/v1/schedules", json=body)
    return answer.status_code, answer.json()


async def test_a_schedule_works_on_a_repository_by_its_url(schedules: Person) -> None:
    body = {"name": "nightly", "cron": "@daily", "timezone": "UTC"}
    url = "https://git.example.org/team/shop.git"
    item = {**GOAL, "repository": f"{url}@main"}
    answer = await schedules.http.post("/v1/schedules", json={**body, "item": item})
    assert (answer.status_code, answer.json().get("project")) == (201, url), answer.text
    await schedules.http.post("/v1/schedules/nightly/run", json={})
    entry = (await schedules.house.seen(QUEUE, "entry_enqueued")).body.entry
    assert (entry.project, entry.series) == (url, "schedule-nightly")
    spec = ThreadInput.model_validate_json(await schedules.house.journal.text(entry.spec_ref))
    assert spec.repository == f"{url}@main"


async def test_a_schedule_is_added_shown_run_paused_and_removed(
    schedules: Person, repository: Path
) -> None:
    http = schedules.http
    status, added = await add(schedules, repository / "src", cron=" 0  6 * * 1-5 ")
    assert (status, added["cron"], added["title"]) == (201, "0 6 * * 1-5", "look at the links")
    assert added["project"] == str(repository)
    assert [at[11:] for at in added["next_at"]] == ["06:00:00Z"] * 3
    assert (await http.get("/v1/schedules/nightly")).json() == added

    ran = await http.post("/v1/schedules/nightly/run", json={})
    assert ran.status_code == 202
    entry = (await schedules.house.seen(QUEUE, "entry_enqueued")).body.entry
    assert (entry.entry_id, entry.series) == (ran.json()["entry_id"], "schedule-nightly")

    paused = (await http.post("/v1/schedules/nightly/pause", json={})).json()
    assert (paused["is_paused"], paused["next_at"]) == (True, [])
    assert (await http.post("/v1/schedules/nightly/resume", json={})).json()["next_at"]
    removed = await http.request("DELETE", "/v1/schedules/nightly", json={})
    assert removed.status_code == 204
    assert (await http.get("/v1/schedules/nightly")).status_code == 404


async def test_what_can_be_no_schedule_is_refused_with_its_reason(
    schedules: Person, repository: Path
) -> None:
    waiting = {"repository": str(repository), **GOAL, "after": ["thread-x"]}
    table = [
        ({"name": "Bad Name"}, 422, "invalid"),
        ({"cron": "0 0 31 4 *"}, 422, "bad_cron"),
        ({"cron": "@reboot"}, 422, "bad_cron"),
        ({"timezone": "Mars/Olympus"}, 422, "bad_timezone"),
        ({"timezone": "Local"}, 422, "bad_timezone"),
        ({"overlap": "maybe"}, 422, "bad_value"),
        ({"item": {"repository": str(repository), **GOAL, "agent": "no"}}, 422, "unknown_agent"),
        ({"item": {"repository": "/nowhere/at/all", **GOAL}}, 422, "unusable_repository"),
        ({"item": {**waiting}}, 422, "invalid"),
        ({"item": {"kind": "flow", "flow": "no", "working_folder": str(repository)}}, 404, None),
    ]
    for more, status, kind in table:
        got, answer = await add(schedules, repository, **more)
        assert got == status, (more, answer)
        assert kind is None or answer["type"] == f"treadle:{kind}", (more, answer)
    assert (await schedules.http.get("/v1/schedules")).json() == {"schedules": []}

    assert (await add(schedules, repository))[0] == 201
    status, answer = await add(schedules, repository)
    assert (status, answer["type"]) == (409, "treadle:schedule_exists")
    for path in ("nope/run", "Nope%20x/pause", "nope/resume"):
        assert (await schedules.http.post(f"/v1/schedules/{path}", json={})).status_code == 404


async def test_a_flow_is_scheduled_as_it_is_now(schedules: Person, repository: Path) -> None:
    (repository / "flows").mkdir()
    step = {
        "type": "llm",
        "agentType": "scripted",
        "identifier": "a",
        "messages": [{"role": "user", "content": ["look"]}],
    }
    (repository / "flows/look.json").write_text(json.dumps({"steps": [step]}))
    item = {"kind": "flow", "flow": "look", "working_folder": str(repository)}
    status, added = await add(schedules, repository, item=item)
    assert (status, added.get("kind"), added.get("title")) == (201, "flow", "look"), added
    ran = (await schedules.http.post("/v1/schedules/nightly/run", json={})).json()
    assert ran["entry_id"].startswith("flow-look-")
    entry = (await schedules.house.seen(QUEUE, "entry_enqueued")).body.entry
    assert (entry.entry_id, entry.kind) == (ran["entry_id"], "flow")


async def test_a_workflow_template_goes_into_the_queue_whole_or_not_at_all(
    person: Person, repository: Path
) -> None:
    text = (
        "parameters: {what: {}}\n"
        "goals:\n"
        "  - {id: build, goal: 'build ${what}', base: research, priority: 2}\n"
        "  - {id: research, goal: 'look at ${what}', agent: scripted}\n"
        "  - {id: other, goal: other, after: [build]}\n"
    )
    (repository / ".treadle/workflow-templates/both.yaml").write_text(text)
    path = "/v1/workflow-templates/both/start"
    body = {"repository": str(repository), "parameters": {"what": "it"}, "command_id": "start-1"}

    for wrong, kind in [
        ({"parameters": {}}, "invalid_parameters"),
        ({"agent": "nobody"}, "unknown_agent"),
        ({"repository": "/nowhere"}, "unusable_repository"),
    ]:
        answer = await person.http.post(path, json={**body, **wrong, "command_id": "x"})
        assert (answer.status_code, answer.json()["type"]) == (422, f"treadle:{kind}")

    started = await person.http.post(path, json=body)
    assert started.status_code == 202, started.text
    ids = {each["goal"]: each["entry_id"] for each in started.json()["entries"]}
    await person.house.seen(QUEUE, "entry_enqueued", number=3)
    told = [e.entry for e in person.house.journal.bodies(QUEUE) if e.kind == "entry_enqueued"]
    assert [(e.entry_id, e.after, e.priority) for e in told] == [
        (ids["build"], (ids["research"],), 2),
        (ids["research"], (), 3),
        (ids["other"], (ids["build"],), 3),
    ]
    assert told[0].title == "build it"
    again = await person.http.post(path, json=body)
    assert again.json() == started.json()


async def test_a_goal_begins_at_the_branch_of_its_base(person: Person, repository: Path) -> None:
    body = {"repository": str(repository), "parameters": {"feature": "a flag"}}
    path = "/v1/workflow-templates/research-then-build/start"
    started = await person.http.post(path, json=body)
    assert started.status_code == 202, started.text
    research, _ = (each["entry_id"] for each in started.json()["entries"])
    second = await person.house.seen(QUEUE, "entry_enqueued", number=2)
    spec = json.loads(await person.journal.text(second.body.entry.spec_ref))
    assert spec["base"] == f"treadle/{research.removeprefix('thread-')}"


async def test_a_goal_that_cannot_wait_is_refused_by_its_name(
    person: Person, repository: Path
) -> None:
    first = "goals:\n" + "".join(f"  - {{id: g{n}, goal: do it}}\n" for n in range(60))
    names = ", ".join(f"g{n}" for n in range(60))
    texts = {
        "long": first + f"  - {{id: last, goal: do it, after: [{names}]}}\n",
        "dark": 'goals: [{id: last, goal: "do\\0 it"}]\n',
    }
    for name, text in texts.items():
        (repository / f".treadle/workflow-templates/{name}.yaml").write_text(text)
        answer = await person.http.post(
            f"/v1/workflow-templates/{name}/start", json={"repository": str(repository)}
        )
        got = answer.json()
        assert (answer.status_code, got["type"]) == (422, "treadle:invalid"), got
        assert "goal 'last'" in got["detail"]
