"""Who may use which route: every route by every role, generated from what the routes declare."""

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from api.app import ROUTES
from api.core.declared import declared
from api.core.permissions import About
from domain.conversations.events import AgentNotice
from domain.core.command import AgentCommand, Command
from domain.core.event import Event, Headline
from domain.flows.rules import FLOW_RULES
from domain.people.commands import ROLES
from domain.people.roles import Role
from domain.people.tokens import PREFIX, Token, token_hash
from domain.publications.rules import PUBLICATION_RULES
from domain.queue.rules import QUEUE_RULES
from domain.tasks.rules import TASK_RULES
from domain.threads.rules import THREAD_RULES
from domain.trackers.rules import TRACKER_RULES
from tests.api.conftest import client_of

EVERY = tuple(declared(module.router for module in ROUTES))
GUARDED = tuple(each for each in EVERY if each.permissions and each.needed is not Role.NONE)
PEOPLE = ("viewer", "proposer", "author", "approver", "admin", "none")
FILE = """
[groups.everybody]
roles = {{ "{repo}" = "viewer" }}

[users.viewer]
groups = ["everybody"]

[users.proposer.roles]
"{repo}" = "proposer"

[users.author.roles]
"{repo}" = "author"

[users.approver.roles]
"{repo}" = "approver"

[users.admin.roles]
"*" = "admin"

[users.none.roles]
"/elsewhere" = "none"

[users.blocked]
is_blocked = true
roles = {{ "*" = "admin" }}
"""
NAMES = {
    "thread": "thread-guarded-1a2b3c",
    "run": "flow-guarded-1",
    "entry": "thread-guarded-1a2b3c",
    "number": "1",
    "revision": "1",
    "other": "2",
    "kind": "tasks",
}


def test_every_route_declares_what_it_needs():
    holes = [f"{each.method} {each.path}" for each in EVERY if not each.permissions]
    assert not holes, f"give each router or route a dependency of api/core/permissions.py: {holes}"


def test_every_command_of_people_has_a_role():
    registries = (
        *(THREAD_RULES, FLOW_RULES, QUEUE_RULES),
        *(TASK_RULES, PUBLICATION_RULES, TRACKER_RULES),
    )
    doors = {
        command.door
        for rules in registries
        for command in rules.commands
        if issubclass(command, Command) and not issubclass(command, AgentCommand)
    }
    assert doors, "the registries have commands"
    assert not doors - ROLES.keys()


def write_people(tmp_path, repo):
    file = tmp_path / "config" / "people.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(FILE.format(repo=repo))
    return file


async def token_for(app, person, **changes):
    """Return the headers of a new token of a person."""
    text, now = f"{PREFIX}{person}-{len(changes)}-{'x' * 20}{changes}", datetime.now(UTC)
    fields = {
        "token_id": f"{abs(hash(person + str(changes)))}",
        "person": person,
        "name": "test",
        "scope": Role.ADMIN,
        "created_at": now,
        "expires_at": now + timedelta(days=1),
    }
    token = Token(**fields | changes)
    text = re.sub(r"[^A-Za-z0-9_-]", "", text)
    await app.state.journal.people.tokens.add(token, token_hash(text))
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture
async def guarded(down_app, settings, tmp_path):
    """The application with a thread and a run in a repository, and people who have roles there."""
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True, exist_ok=True)
    write_people(tmp_path, repo.resolve())
    journal = down_app.state.journal
    for stream, kind in ((NAMES["thread"], "thread"), (NAMES["run"], "flow")):
        line = Headline(
            stream=stream, kind=kind, title="t", project=str(repo.resolve()), status="open"
        )
        event = Event(
            id=f"{stream}:1",
            stream=stream,
            at=datetime.now(UTC),
            body=AgentNotice(session_id="s", turn_id="t", message="x"),
        )
        await journal.append([event], [line])
    return down_app, repo


def path_of(each, repo):
    """Return a path of a route with its parameters filled in, and a query that ends streams at once."""
    path = "/v1" + re.sub(r"\{(\w+)(:\w+)?\}", lambda m: NAMES.get(m[1], "name-1"), each.path)
    query = {"after": "-1"} if each.path.endswith("stream") or each.path == "/events" else {}
    if each.path.startswith("/report"):
        query["project"] = str(repo)
    if each.about is About.REPOSITORY:
        query["repository"] = str(repo)
    return path, query


async def ask(client, each, repo, headers):
    """Send a request that the handler of a route never gets: its body or query is invalid."""
    path, query = path_of(each, repo)
    if each.method == "GET":
        return await client.get(path, params=query, headers=headers)
    about = {"repository": str(repo)} if each.about is About.REPOSITORY else {}
    body = about | {"no_such_field": True}
    return await client.request(each.method, path, json=body, headers=headers)


def is_enough(role, each):
    if role == "admin":
        return True
    held = Role(role)
    if each.about is About.SERVER:
        return False
    return held.allows(each.needed)


async def test_every_route_by_every_role(guarded, settings):
    app, repo = guarded
    holes: list[str] = []
    async with client_of(app, settings) as client:
        for role in PEOPLE:
            headers = await token_for(app, role)
            for each in GUARDED:
                answer = await ask(client, each, repo, headers)
                named = (
                    f"{role}: {each.method} {each.path}: {answer.status_code} {answer.text[:90]}"
                )
                if is_enough(role, each):
                    holes += [named] if answer.status_code in {401, 403} else []
                else:
                    is_refused = answer.status_code == 403 and "role_missing" in answer.text
                    holes += [] if is_refused else [named]
    assert not holes, "\n".join(holes)


@pytest.mark.parametrize(
    ("changes", "status", "name"),
    [
        ({"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, 401, "token_expired"),
        ({"revoked_at": datetime(2020, 1, 1, tzinfo=UTC)}, 401, "token_revoked"),
        ({"scope": Role.NONE}, 403, "role_missing"),
        ({"projects": ("/elsewhere",)}, 403, "role_missing"),
    ],
    ids=["expired", "revoked", "no scope", "another project"],
)
async def test_no_route_takes_a_token_that_is_not_good_for_it(
    guarded, settings, changes, status, name
):
    app, repo = guarded
    headers = await token_for(app, "approver", **changes)
    holes: list[str] = []
    async with client_of(app, settings) as client:
        for each in GUARDED:
            if name == "role_missing" and "projects" in changes and each.about is About.ANY:
                continue
            answer = await ask(client, each, repo, headers)
            if answer.status_code != status or name not in answer.text:
                holes.append(f"{each.method} {each.path}: {answer.status_code} {answer.text[:90]}")
    assert not holes, "\n".join(holes)


async def test_a_scope_limits_what_its_person_may_do(guarded, settings):
    app, _ = guarded
    reads = await token_for(app, "approver", scope=Role.VIEWER)
    async with client_of(app, settings) as client:
        thread = f"/v1/threads/{NAMES['thread']}"
        seen = await client.get(f"{thread}/events", headers=reads)
        refused = await client.post(f"{thread}/pause", json={}, headers=reads)
    assert seen.status_code == 200
    assert refused.status_code == 403
    assert "this token's scope is viewer" in refused.json()["detail"]


async def test_people_see_only_what_is_of_their_projects(guarded, settings):
    app, _ = guarded
    theirs, stranger = await token_for(app, "viewer"), await token_for(app, "none")
    async with client_of(app, settings) as client:
        seen = (await client.get("/v1/threads", headers=theirs)).json()["threads"]
        stream = await client.get(
            "/v1/stream", params={"topics": f"thread:{NAMES['thread']}"}, headers=stranger
        )
        me = (await client.get("/v1/me", headers=theirs)).json()
    assert [line["thread_id"] for line in seen] == [NAMES["thread"]]
    assert stream.status_code == 403
    assert me["person"] == "viewer"
    assert me["role"] == "viewer"


async def test_a_blocked_person_may_do_nothing(guarded, settings):
    app, _ = guarded
    headers = await token_for(app, "blocked")
    async with client_of(app, settings) as client:
        answer = await client.get("/v1/threads", headers=headers)
    assert answer.status_code == 403


async def test_a_role_is_lost_as_soon_as_the_file_says_so(guarded, settings, tmp_path):
    app, repo = guarded
    headers = await token_for(app, "author")
    async with client_of(app, settings) as client:
        before = await client.get(f"/v1/threads/{NAMES['thread']}/events", headers=headers)
        file = write_people(tmp_path, repo.resolve())
        file.write_text(file.read_text().replace("[users.author.roles]", "[users.gone.roles]"))
        after = await client.get(f"/v1/threads/{NAMES['thread']}/events", headers=headers)
        file.write_text("[users.author]\nrole = 1")
        broken = await client.get("/v1/threads", headers=headers)
        owner = await client.get("/v1/threads")
    assert (before.status_code, after.status_code) == (200, 403)
    assert (broken.status_code, broken.json()["type"]) == (503, "treadle:people_file_wrong")
    assert owner.status_code == 200


async def test_tokens_are_made_listed_and_revoked(guarded, settings):
    app, _ = guarded
    async with client_of(app, settings) as client:
        body = {"name": "laptop", "scope": "author", "person": "author"}
        made = await client.post("/v1/tokens", json=body)
        headers = {"Authorization": f"Bearer {made.json()['token']}"}
        me = await client.get("/v1/me", headers=headers)
        more = await client.post("/v1/tokens", json={"name": "more"}, headers=headers)
        listed = (await client.get("/v1/tokens", headers=headers)).json()["tokens"]
        token_id = made.json()["details"]["token_id"]
        await client.post(f"/v1/tokens/{token_id}/revoke", json={}, headers=headers)
        after = await client.get("/v1/me", headers=headers)
    assert made.status_code == 201
    assert me.json()["person"] == "author"
    assert more.status_code == 403
    assert [each["name"] for each in listed] == ["laptop"]
    assert made.json()["token"] not in str(listed)
    assert after.json()["type"] == "treadle:token_revoked"


async def test_nobody_gets_a_token_for_somebody_else_but_of_an_admin(guarded, settings):
    app, _ = guarded
    headers = await token_for(app, "approver")
    async with client_of(app, settings) as client:
        body = {"name": "x", "person": "admin", "scope": "admin"}
        answer = await client.post("/v1/tokens", json=body, headers=headers)
        unknown = await client.post("/v1/tokens", json=body | {"person": "nobody"})
    assert answer.status_code == 403
    assert unknown.status_code == 422


async def test_without_people_there_is_one_person_who_may_do_all(down_app, settings):
    async with client_of(down_app, settings) as client:
        me = (await client.get("/v1/me")).json()
        made = await client.post("/v1/tokens", json={"name": "reads", "scope": "viewer"})
        headers = {"Authorization": f"Bearer {made.json()['token']}"}
        seen = await client.get("/v1/threads", headers=headers)
        refused = await client.post("/v1/threads", json={}, headers=headers)
    assert (me["is_owner"], me["has_directory"], me["role"]) == (True, False, "admin")
    assert (seen.status_code, refused.status_code) == (200, 403)
    assert isinstance(refused, httpx.Response)
