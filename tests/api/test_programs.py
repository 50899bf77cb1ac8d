"""What a program may do that acts for a person: propose, queue, read and say; no other route takes its token."""

import re
from collections.abc import Iterator

import pytest
from fastapi.routing import APIRoute

from api.app import ROUTES, create_app
from api.core.declared import declared
from api.core.incoming import SAFE
from domain.core.command import Answer
from domain.people.roles import Role
from domain.threads.inputs import ThreadInput
from tests.api.conftest import client_of
from tests.api.test_permissions import NAMES, guarded, path_of, token_for

__all__ = ["guarded"]

PROPOSALS = {
    "POST /threads",
    "POST /threads/{thread}/messages",
    "POST /threads/{thread}/tasks/{task}/messages",
    "POST /queue",
}
"""All that a program changes. Whoever adds to it lets programs do that for people, without asking them."""

WITHOUT_TOKENS = {
    *("POST /host-joins", "POST /device-logins", "POST /device-tokens"),
    *("POST /passkey-registrations", "POST /passkey-registrations/finish"),
    *("POST /passkey-sign-ins", "POST /passkey-sign-ins/finish"),
}
"""Routes that ask for a secret of their own and look at no token."""

EVERY = tuple(declared(module.router for module in ROUTES))
WRITES = tuple(each for each in EVERY if each.method not in SAFE)


def program(app, person="approver", **changes):
    return token_for(app, person, scope=Role.PROPOSER, name="MCP", **changes)


def test_a_program_changes_something_by_these_routes_only():
    open_to_it = {f"{each.method} {each.path}" for each in WRITES if each.needed is Role.PROPOSER}
    assert open_to_it == PROPOSALS


def routes_of(app) -> Iterator[tuple[str, str]]:
    """Yield every route of the application that changes something, listed in ROUTES or not."""
    for route in app.routes:
        if isinstance(route, APIRoute):
            yield from ((method, route.path) for method in sorted(route.methods - SAFE))


async def test_no_route_of_the_application_is_left_out(down_app):
    listed = {f"{each.method} /v1{each.path}" for each in WRITES}
    assert {f"{method} {path}" for method, path in routes_of(down_app)} - listed == set()


async def test_every_other_route_refuses_it(guarded, settings):
    app, repo = guarded
    headers = await program(app, "approver", is_owner=True)
    holes: list[str] = []
    async with client_of(app, settings) as client:
        for each in WRITES:
            name = f"{each.method} {each.path}"
            if name in PROPOSALS | WITHOUT_TOKENS:
                continue
            path, _ = path_of(each, repo)
            answer = await client.request(each.method, path, json={}, headers=headers)
            if answer.status_code != 403 or answer.json()["type"] != "treadle:only_proposes":
                holes.append(f"{name}: {answer.status_code} {answer.text[:120]}")
    assert not holes, "\n".join(holes)


async def test_it_reads_what_its_person_may_read(guarded, settings):
    app, _ = guarded
    headers = await program(app, "viewer")
    async with client_of(app, settings) as client:
        seen = await client.get(f"/v1/threads/{NAMES['thread']}/events", headers=headers)
        refused = await client.post("/v1/threads", json={}, headers=headers)
        me = (await client.get("/v1/me", headers=headers)).json()
        audit = await client.get("/v1/audit", headers=headers)
    assert seen.status_code == 200
    assert refused.json()["type"] == "treadle:role_missing"
    assert (me["person"], me["program"], me["scope"]) == ("viewer", "MCP", "proposer")
    assert audit.status_code == 403


async def test_its_person_may_lose_the_role(guarded, settings, tmp_path):
    app, repo = guarded
    headers = await program(app, "author")
    body = {"text": "hello"}
    path = f"/v1/threads/{NAMES['thread']}/messages"
    file = tmp_path / "config" / "people.toml"
    async with client_of(app, settings) as client:
        file.write_text(file.read_text().replace(f'"{repo.resolve()}" = "author"', ""))
        answer = await client.post(path, json=body, headers=headers)
    assert answer.status_code == 403


async def test_what_its_client_says_of_itself_is_shown_and_no_more(guarded, settings):
    app, _ = guarded
    headers = await program(app)
    client_header = {"X-Treadle-Client": "an editor) and approved by bob (x\t"}
    async with client_of(app, settings) as client:
        me = (await client.get("/v1/me", headers=headers | client_header)).json()
        person = (await client.get("/v1/me", headers=client_header)).json()
    assert me["program"] == "MCP (an editor and approved by bob x)"
    assert person["program"] == ""


async def test_a_program_makes_no_token_and_ends_none(guarded, settings):
    app, _ = guarded
    headers = await program(app)
    async with client_of(app, settings) as client:
        made = await client.post(
            "/v1/tokens", json={"name": "x", "scope": "proposer"}, headers=headers
        )
        listed = (await client.get("/v1/tokens", headers=headers)).json()["tokens"]
        ended = await client.post(
            f"/v1/tokens/{listed[0]['token_id']}/revoke", json={}, headers=headers
        )
    assert (made.status_code, ended.status_code) == (403, 403)


async def test_the_token_of_a_person_makes_one_for_a_program_that_ends_with_it(guarded, settings):
    app, repo = guarded
    headers = await token_for(app, "approver", scope=Role.APPROVER, projects=(str(repo.resolve()),))
    async with client_of(app, settings) as client:
        body = {"name": "MCP", "scope": "proposer", "days": 300}
        made = (await client.post("/v1/tokens", json=body, headers=headers)).json()
        more = await client.post(
            "/v1/tokens", json={"name": "x", "scope": "author"}, headers=headers
        )
        own = (await client.get("/v1/tokens", headers=headers)).json()["tokens"]
        maker = next(each for each in own if each["scope"] == "approver")
        theirs = {"Authorization": f"Bearer {made['token']}"}
        before = await client.get("/v1/me", headers=theirs)
        await client.post(f"/v1/tokens/{maker['token_id']}/revoke", json={}, headers=headers)
        after = await client.get("/v1/me", headers=theirs)
    assert more.status_code == 403
    assert made["details"]["projects"] == [str(repo.resolve())]
    assert made["details"]["expires_at"] == maker["expires_at"]
    assert before.status_code == 200
    assert after.json()["type"] == "treadle:token_revoked"


async def test_a_viewer_makes_no_program_that_proposes(guarded, settings):
    app, _ = guarded
    headers = await token_for(app, "approver", scope=Role.VIEWER)
    async with client_of(app, settings) as client:
        body = {"name": "MCP", "scope": "proposer"}
        answer = await client.post("/v1/tokens", json=body, headers=headers)
    assert answer.status_code == 403


@pytest.fixture
async def proposing(app, settings, client):
    """A client with the token of a program that acts for the owner."""
    made = await client.post("/v1/tokens", json={"name": "MCP", "scope": "proposer"})
    async with client_of(app, settings) as opened:
        opened.headers["Authorization"] = f"Bearer {made.json()['token']}"
        opened.headers["X-Treadle-Client"] = "an editor"
        yield opened


async def test_what_it_sends_is_signed(proposing, client, tmp_path):
    me = (await client.get("/v1/me")).json()["person"]
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    body = {"repository": str(repo), "goal": "Add a flag", "command_id": "c-1"}
    opened = await proposing.post("/v1/threads", json=body)
    again = await proposing.post("/v1/threads", json=body)
    name = opened.json()["thread_id"]
    said = await proposing.post(f"/v1/threads/{name}/messages", json={"text": "go on"})
    assert opened.status_code == 201
    assert again.json() == opened.json()
    assert re.fullmatch(r"thread-via-add-a-flag-[0-9a-f]{6}", name)
    assert said.json()["data"]["by"] == f"{me} via MCP (an editor)"


@pytest.mark.parametrize(
    "more",
    [
        {"planner": {"auto_run": True}},
        {"planner": {"decision_timeout_seconds": 1}},
        {"planner": {"agent_aborts": True}},
        {"options": {"mode": "bypassPermissions"}},
        {"workspace": ""},
        {"workspace": "[setup]\ncommands = ['true']"},
        {"also": ["/elsewhere"]},
        {"best_of": {"agents": ["claude", "codex"]}},
        {"max_parallel_tasks": 50},
        {"plan_files": True},
        {"continues": {"agent_session": "of-its-person"}, "is_planned": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("door", ["threads", "queue"])
async def test_it_does_not_choose_how_its_work_is_decided_on(proposing, tmp_path, door, more):
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    body = {"repository": str(repo), "goal": "Add a flag", **more}
    wanted = body if door == "threads" else {"items": [body]}
    answer = await proposing.post(f"/v1/{door}", json=wanted)
    assert answer.status_code == 403, answer.text
    assert answer.json()["type"] == "treadle:role_missing"


async def test_it_queues_no_flow(proposing, tmp_path):
    item = {"kind": "flow", "flow": "review", "repository": str(tmp_path), "agent": "scripted"}
    answer = await proposing.post("/v1/queue", json={"items": [item]})
    assert answer.status_code in {403, 422}, answer.text


@pytest.mark.parametrize("text", ["/plan auto on", "/plan decide d yes", "/plan resume"])
async def test_no_message_of_it_is_a_verb(proposing, client, tmp_path, text):
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    opened = await client.post("/v1/threads", json={"repository": str(repo), "goal": "chat"})
    path = f"/v1/threads/{opened.json()['thread_id']}/messages"
    answer = await proposing.post(path, json={"text": text})
    assert answer.status_code == 403, answer.text


async def test_an_author_says_no_verb_that_needs_an_approver(guarded, settings):
    app, _ = guarded
    path = f"/v1/threads/{NAMES['thread']}/messages"
    async with client_of(app, settings) as client:
        author = await token_for(app, "author")
        answer = await client.post(path, json={"text": "/plan auto on"}, headers=author)
    assert answer.status_code == 403
    assert "needs the role approver" in answer.json()["detail"]


async def test_the_audit_log_tells_it_from_its_person(guarded, settings):
    app, _ = guarded
    headers = await program(app, "author")
    async with client_of(app, settings) as client:
        await client.post(f"/v1/threads/{NAMES['thread']}/pause", json={}, headers=headers)
        query = {"person": "author"}
        records = (await client.get("/v1/audit", params=query)).json()["records"]
        others = (await client.get("/v1/audit", params={"person": "auth"})).json()["records"]
    assert [(r["person"], r["result"]) for r in records] == [("author via MCP", "refused")]
    assert others == []


class Opening:
    """Workflows that open every thread, and keep what they were given."""

    def __init__(self) -> None:
        self.given: list[ThreadInput] = []

    async def open_thread(self, thread: ThreadInput) -> Answer:
        self.given.append(thread)
        return Answer(message="opened")


async def test_a_person_approves_its_plans_whatever_the_settings_say(settings, tmp_path):
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    planner = settings.planner.model_copy(update={"auto_run": True})
    app = create_app(settings.model_copy(update={"planner": planner}))
    async with app.router.lifespan_context(app), client_of(app, settings) as client:
        app.state.workflows = opening = Opening()
        made = await client.post("/v1/tokens", json={"name": "MCP", "scope": "proposer"})
        headers = {"Authorization": f"Bearer {made.json()['token']}"}
        body = {"repository": str(repo), "goal": "Add a flag", "is_planned": True}
        for sender in (headers, {}):
            opened = await client.post("/v1/threads", json=body, headers=sender)
            assert opened.status_code == 201
    of_program, of_person = opening.given
    assert (of_program.planner.auto_run, of_person.planner.auto_run) == (False, True)
    assert of_program.opened_by == f"{of_person.opened_by} via MCP"
