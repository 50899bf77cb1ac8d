"""Schedules and workflow templates while Temporal is away."""

import pytest


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "app/.git").mkdir(parents=True)
    return str(tmp_path / "app")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("GET", "/links", None),
        ("POST", "", {"name": "links", "cron": "@daily"}),
        ("POST", "/links/run", {}),
        ("DELETE", "/links", {}),
    ],
)
async def test_nothing_is_known_of_schedules_while_temporal_is_away(
    down_client, repository, method, path, body
):
    if body and "name" in body:
        body = {**body, "item": {"repository": repository, "goal": "look", "agent": "scripted"}}
    answer = await down_client.request(method, f"/v1/schedules{path}", json=body)
    assert (answer.status_code, answer.json()["type"]) == (503, "treadle:unavailable")


async def test_workflow_templates_are_read_without_temporal_and_none_is_started(
    down_client, repository
):
    listed = (await down_client.get("/v1/workflow-templates")).json()["workflow_templates"]
    assert [each["name"] for each in listed] == ["research-then-build", "upkeep"]
    assert (await down_client.get("/v1/workflow-templates/upkeep")).json() == listed[1]
    assert (await down_client.get("/v1/workflow-templates/nope")).status_code == 422

    body = {"repository": repository}
    answer = await down_client.post("/v1/workflow-templates/upkeep/start", json=body)
    assert (answer.status_code, answer.json()["type"]) == (503, "treadle:unavailable")
