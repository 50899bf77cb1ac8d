"""The queue over REST, before its real workflow: what is refused at the door, and what is shown."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from domain.plans.best_of import BestOf
from domain.queue.inputs import QUEUE
from domain.threads.inputs import ThreadInput
from tests.workflows.test_refusals_over_rest import Person, person  # noqa: F401 (a fixture)


@pytest.fixture
def repository(tmp_path: Path) -> str:
    folder = tmp_path / "app"
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return str(folder)


@pytest.fixture
def other(tmp_path: Path) -> str:
    folder = tmp_path / "other"
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return str(folder)


@pytest.fixture
async def held(person: Person) -> Person:  # noqa: F811 (the fixture)
    """A queue that starts nothing."""
    assert (await person.http.post("/v1/queue/hold", json={"reason": "a test"})).is_success
    return person


def goal(repository: str, text: str = "do it", **more: Any) -> dict[str, Any]:
    return {"goal": text, "repository": repository, **more}


async def put(person: Person, *items: dict[str, Any], **more: Any) -> Any:  # noqa: F811
    return await person.http.post("/v1/queue", json={"items": list(items), **more})


async def shown(person: Person) -> dict[str, Any]:  # noqa: F811
    await person.house.seen(QUEUE, "entry_enqueued")
    return (await person.http.get("/v1/queue")).json()


async def test_items_wait_for_each_other_by_their_names(held: Person, repository: str):
    items = [goal(repository, after=["first"]), goal(repository, "begin", name="first")]
    answer = await put(held, *items, command_id="once")
    assert answer.status_code == 202
    assert (await put(held, *items, command_id="once")).json() == answer.json()

    second, first = answer.json()["entries"]
    queue = await shown(held)
    assert [line["entry"]["entry_id"] for line in queue["entries"]] == [second, first]
    assert queue["entries"][0]["entry"]["after"] == [first]
    assert queue["entries"][0]["entry"]["project"] == repository
    assert queue["is_held"]
    assert "release" in queue["signal_lines"]
    assert "release anyway" in queue["entries"][0]["signal_lines"]


async def test_what_cannot_wait_is_refused_and_nothing_waits(held: Person, repository: str):
    fine = goal(repository)
    rows = [
        ([fine, goal(repository, after=["thread-nope"])], 404, "not_found", "thread-nope"),
        ([fine, goal(repository, is_planned=False)], 422, "invalid", "a chat has no end"),
        ([fine, goal("/nowhere")], 422, "unusable_repository", "/nowhere"),
        ([fine, goal(repository, agent="nobody")], 422, "unknown_agent", "nobody"),
        ([fine, goal(repository, priority=6)], 422, "out_of_range", "priority"),
        ([fine, goal(repository, kind="dance")], 422, "invalid", "dance"),
        (
            [
                goal(repository, name="a", after=["b"]),
                goal(repository, "b", name="b", after=["a"]),
            ],
            422,
            "cycle",
            "would wait for each other",
        ),
        ([goal(repository, name="a"), goal(repository, name="a")], 422, "invalid", "two items"),
        ([], 422, "empty", "items"),
    ]
    for items, status, kind, words in rows:
        answer = await put(held, *items)
        got = answer.json()
        assert (answer.status_code, got["type"]) == (status, f"treadle:{kind}"), got
        assert words in got["detail"], got
    assert (await held.http.get("/v1/queue")).json()["entries"] == []


async def test_an_entry_keeps_the_host_and_the_labels_that_it_asks_for(
    held: Person, repository: str
):
    flow = {"kind": "flow", "flow": "hello", "working_folder": repository, "agent": "scripted"}
    items = [goal(repository, host="build-1", labels=["GPU"]), {**flow, "labels": ["zone=a"]}]
    assert (await put(held, *items)).is_success
    told = [await held.house.seen(QUEUE, "entry_enqueued", number=n) for n in (1, 2)]
    specs = [json.loads(await held.journal.text(each.body.entry.spec_ref)) for each in told]
    assert [spec["hosts"] for spec in specs] == [
        {"name": "build-1", "labels": ["gpu"]},
        {"name": "", "labels": ["zone=a"]},
    ]

    base = goal(repository, name="a")
    refused = await put(held, base, goal(repository, "then", base="a", labels=["gpu"]))
    assert (refused.status_code, refused.json()["type"]) == (422, "treadle:invalid")
    assert "leave out the host" in refused.json()["detail"]
    refused = await put(held, goal(repository, labels=["two words"]))
    assert refused.status_code == 422


async def test_an_entry_keeps_the_agents_that_do_its_tasks_at_once(held: Person, repository: str):
    best_of = {"agents": ["scripted:x", "scripted:y"], "ends": "first_passed", "judge": "scripted"}
    assert (await put(held, goal(repository, best_of=best_of))).is_success
    told = await held.house.seen(QUEUE, "entry_enqueued")
    spec = await held.journal.text(told.body.entry.spec_ref)
    assert spec is not None
    assert ThreadInput.model_validate_json(spec).best_of == BestOf.model_validate(best_of)

    refused = await put(held, goal(repository, best_of={"agents": ["scripted", "nobody"]}))
    assert (refused.status_code, refused.json()["type"]) == (422, "treadle:unknown_agent")


@pytest.fixture
def template(repository: str) -> str:
    """A template of the repository that asks for labels."""
    file = Path(repository, ".treadle/plan-templates/big/TEMPLATE.md")
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: Big\nlabels: [gpu, zone=a]\n---\n")
    return "big"


async def test_labels_of_a_template_are_joined_with_those_of_the_entry(
    held: Person, repository: str, template: str
):
    url = "https://git.example/team/app.git"
    items = [
        goal(repository, template=template, labels=["ssd", "gpu"]),
        goal(url, template=template, labels=["ssd"]),  # only a host can know which template it is
    ]
    assert (await put(held, *items)).is_success
    told = [await held.house.seen(QUEUE, "entry_enqueued", number=n) for n in (1, 2)]
    specs = [json.loads(await held.journal.text(each.body.entry.spec_ref)) for each in told]
    assert [spec["hosts"]["labels"] for spec in specs] == [["ssd", "gpu", "zone=a"], ["ssd"]]


async def test_a_goal_begins_at_the_branch_of_what_it_is_based_on(held: Person, repository: str):
    items = [goal(repository, name="a"), goal(repository, "then", base="a")]
    first, second = (await put(held, *items)).json()["entries"]
    queue = (await held.http.get("/v1/queue")).json()
    assert [shown["entry"]["entry_id"] for shown in queue["entries"]] == [first, second]
    # one that waits already is as good
    answer = await put(held, goal(repository, "last", base=second))
    assert answer.is_success, answer.json()
    [third] = answer.json()["entries"]

    told = [await held.house.seen(QUEUE, "entry_enqueued", number=n) for n in (1, 2, 3)]
    entries = {each.body.entry.entry_id: each.body.entry for each in told}
    assert (entries[second].after, entries[third].after) == ((first,), (second,))
    bases = [json.loads(await held.journal.text(entries[e].spec_ref))["base"] for e in entries]
    branches = [f"treadle/{name.removeprefix('thread-')}" for name in (first, second)]
    assert bases == [None, *branches]


async def test_a_base_must_be_a_thread_of_the_same_repository(
    held: Person, repository: str, other: str
):
    fine = goal(repository, name="a")
    rows = [
        ([fine, goal(other, base="a")], 422, "invalid", "same repository"),
        ([fine, goal(repository, base="thread-nope")], 404, "not_found", "thread-nope"),
        ([goal(repository, name="a", base="a")], 422, "invalid", "itself"),
    ]
    for items, status, kind, words in rows:
        answer = await put(held, *items)
        got = answer.json()
        assert (answer.status_code, got["type"]) == (status, f"treadle:{kind}"), got
        assert words in got["detail"], got


async def test_entries_are_steered_and_limits_set(held: Person, repository: str):
    one, two = (await put(held, goal(repository, "one"), goal(repository, "two"))).json()["entries"]
    http = held.http
    assert (await http.post(f"/v1/queue/{two}/move", json={"before": one})).is_success
    assert (await http.post(f"/v1/queue/{one}/hold", json={"reason": "not yet"})).is_success
    assert (await http.post("/v1/queue/limits", json={"max_running": 2})).is_success
    assert (await http.post("/v1/queue/thread-nope/remove", json={})).status_code == 404
    await held.house.seen(QUEUE, "limits_set")

    queue = await shown(held)
    assert [line["entry"]["entry_id"] for line in queue["entries"]] == [two, one]
    assert [line["why"] for line in queue["entries"]] == [
        f"the queue is held by {queue['held_by']}",
        "not yet",
    ]
    assert queue["limits"]["max_running"] == 2
    assert queue["limits"]["per_project"] == 2
    assert (await http.post(f"/v1/queue/{one}/remove", json={})).is_success
    assert (await http.post(f"/v1/queue/{one}/release", json={})).status_code == 409
