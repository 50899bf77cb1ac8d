"""Signing in a program by a code that a person confirms: what each side gets, and what is refused."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from api.app import create_app
from api.core.rates import Limits
from api.core.reach import team_reach
from domain.people.roles import Role
from domain.people.tokens import token_hash
from settings import config_dir
from settings.serve import ServeTable
from tests.api.test_permissions import token_for

URL = "https://treadle.example.org"
PEOPLE = """
[users.anna.roles]
"*" = "admin"

[users.ben.roles]
"*" = "author"
"""
ASKED = {"machine": "laptop", "scope": "approver", "days": 7}


@pytest.fixture
async def team(settings, tmp_path):
    (tmp_path / "config").mkdir(exist_ok=True)
    (config_dir() / "people.toml").write_text(PEOPLE)
    serve = ServeTable(behind_proxy=True)
    team = settings.model_copy(update={"public_url": URL, "serve": serve})
    app = create_app(team, limits=Limits(penalty_seconds=0), reach=team_reach(team))
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def program(team):
    asgi = httpx.ASGITransport(app=team, client=("127.0.0.1", 1), raise_app_exceptions=False)
    headers = {"X-Treadle": "1", "X-Forwarded-For": "192.0.2.7"}
    async with httpx.AsyncClient(base_url=URL, transport=asgi, headers=headers) as opened:
        yield opened


async def asked(program, **changes):
    answer = await program.post("/v1/device-logins", json=ASKED | changes)
    assert answer.status_code == 201
    return answer.json()


async def poll(program, codes):
    body = {"device_code": codes["device_code"]}
    answer = await program.post("/v1/device-tokens", json=body)
    return answer.status_code, answer.json()


async def decide(program, codes, verb, headers):
    path = f"/v1/device-logins/{codes['user_code']}"
    return await program.post(f"{path}/{verb}" if verb else path, json={}, headers=headers)


async def change(team, codes, **update):
    logins = team.state.journal.people.device_logins
    login = await logins.by_hash(token_hash(codes["device_code"]))
    await logins.change(login.model_copy(update=update), login.state)


async def test_a_program_gets_a_token_once_after_a_person_confirmed(team, program):
    codes = await asked(program)
    waiting = await poll(program, codes)
    person = {**await token_for(team, "anna"), "X-Forwarded-For": "198.51.100.1"}
    shown = await program.get(f"/v1/device-logins/{codes['user_code'].lower()}", headers=person)
    confirmed = await decide(program, codes, "confirm", person)
    status, made = await poll(program, codes)
    again = await poll(program, codes)
    token = {"Authorization": f"Bearer {made['token']}"}
    me = await program.get("/v1/me", headers=token)

    assert codes["verification_uri_complete"] == f"{URL}/device/{codes['user_code']}"
    assert (waiting[0], waiting[1]["type"]) == (400, "treadle:authorization_pending")
    wanted = {"machine": "laptop", "address": "192.0.2.7", "is_your_address": False}
    assert wanted.items() <= shown.json().items()
    assert (confirmed.status_code, status) == (200, 200)
    assert (again[0], again[1]["type"]) == (400, "treadle:expired_token")
    assert (me.json()["person"], me.json()["role"]) == ("anna", "approver")
    lasts = datetime.fromisoformat(made["details"]["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=6) < lasts <= timedelta(days=7)
    records = (await program.get("/v1/audit", headers=person)).json()["records"]
    noted = [(each["action"], each["person"], each["address"]) for each in records]
    assert ("POST /v1/device-logins/{user_code}/confirm", "anna", "198.51.100.1") in noted
    assert ("device", "anna", "192.0.2.7") in noted


async def test_the_token_gives_at_most_what_its_person_has(team, program):
    codes = await asked(program, scope="admin")
    token = await token_for(team, "ben", scope=Role.AUTHOR)
    refused = await decide(program, codes, "confirm", token)
    person = await token_for(team, "ben")
    shown = await program.get(f"/v1/device-logins/{codes['user_code']}", headers=person)
    assert shown.json()["scope"] == "author"
    await decide(program, codes, "confirm", person)
    _, made = await poll(program, codes)
    me = await program.get("/v1/me", headers={"Authorization": f"Bearer {made['token']}"})
    assert (refused.status_code, refused.json()["type"]) == (403, "treadle:role_missing")
    assert me.json()["role"] == "author"


async def test_who_asks_too_soon_waits_longer(team, program):
    codes = await asked(program)
    first = await poll(program, codes)
    second = await poll(program, codes)
    third = await poll(program, codes)
    await change(team, codes, polled_at=datetime.now(UTC) - timedelta(seconds=16))
    patient = await poll(program, codes)
    names = [found[1]["type"].removeprefix("treadle:") for found in (first, second, third, patient)]
    assert names == ["authorization_pending", "slow_down", "slow_down", "authorization_pending"]
    assert "every 15 seconds" in third[1]["detail"]


async def test_a_program_that_is_denied_gets_nothing(team, program):
    codes = await asked(program)
    person = await token_for(team, "anna")
    assert (await decide(program, codes, "deny", person)).status_code == 200
    status, problem = await poll(program, codes)
    late = await decide(program, codes, "confirm", person)
    assert (status, problem["type"]) == (403, "treadle:access_denied")
    assert late.status_code == 404


async def test_a_code_that_has_expired_is_good_for_nothing(team, program):
    codes, confirmed = await asked(program), await asked(program)
    person = await token_for(team, "anna")
    await decide(program, confirmed, "confirm", person)
    for each in (codes, confirmed):
        await change(team, each, expires_at=datetime.now(UTC))
    late = await decide(program, codes, "confirm", person)
    found = [await poll(program, codes), await poll(program, confirmed)]
    assert late.status_code == 404
    assert [problem["type"] for _, problem in found] == ["treadle:expired_token"] * 2


async def test_nobody_confirms_without_being_signed_in(team, program):
    codes = await asked(program)
    secrets = {"Authorization": f"Bearer {codes['device_code']}"}
    answers = [
        await decide(program, codes, "confirm", {}),
        await decide(program, codes, "confirm", {"Origin": URL}),
        await decide(program, codes, "confirm", secrets),
        await program.get(f"/v1/device-logins/{codes['user_code']}"),
        await program.get("/v1/device-tokens"),
        await program.get("/v1/device-logins"),
    ]
    assert [each.status_code for each in answers] == [401, 401, 401, 401, 405, 405]
    assert (await poll(program, codes))[1]["type"] == "treadle:authorization_pending"


async def test_codes_are_not_found_by_trying(team, program):
    person = await token_for(team, "ben")
    for _ in range(20):
        miss = await program.get("/v1/device-logins/BBBB-BBBB", headers=person)
        assert miss.status_code == 404
    limited = await program.get("/v1/device-logins/BBBB-BBBB", headers=person)
    assert (limited.status_code, limited.json()["type"]) == (429, "treadle:too_many_codes")


async def test_one_address_asks_for_few_codes(program):
    for _ in range(20):
        await asked(program)
    limited = await program.post("/v1/device-logins", json=ASKED)
    elsewhere = {"X-Forwarded-For": "192.0.2.8"}
    other = await program.post("/v1/device-logins", json=ASKED, headers=elsewhere)
    assert [limited.status_code, other.status_code] == [429, 201]


@pytest.mark.parametrize(
    "changes",
    [{"machine": "<b>x</b>"}, {"machine": "a\nb"}, {"days": 400}, {"scope": "root"}],
    ids=str,
)
async def test_what_a_program_says_of_itself_is_checked(program, changes):
    answer = await program.post("/v1/device-logins", json=ASKED | changes)
    assert answer.status_code == 422
