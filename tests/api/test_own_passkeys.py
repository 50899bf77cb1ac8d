"""What people do with their own passkeys: list them, add another one, remove one."""

from tests.api.passkey_lab import HOST, REFUSED, URL, refusal, registered
from tests.api.test_passkeys import admin, opened, team
from tests.authenticator import Authenticator

__all__ = ["admin", "opened", "team"]


async def test_people_add_list_and_remove_their_own_passkeys(admin, opened):
    ben, cleo = await registered(admin, opened()), await registered(admin, opened(), "cleo")
    begun = await ben.begin("passkeys")
    assert [each["id"] for each in begun["options"]["excludeCredentials"]] != []
    assert begun["options"]["user"]["id"] == ben.key.handle
    second = Authenticator(URL, HOST)
    made = second.create(begun["options"])
    stolen = await cleo.finish("passkeys", begun, made, name="stolen")
    assert refusal(stolen) == REFUSED

    begun = await ben.begin("passkeys")
    added = await ben.finish("passkeys", begun, second.create(begun["options"]), name="phone")
    assert added.status_code == 201
    found = (await ben.http.get("/v1/passkeys")).json()["passkeys"]
    assert [(each["name"], each["is_current"]) for each in found] == [
        ("laptop", True),
        ("phone", False),
    ]
    assert not {"public_key", "handle"} & found[0].keys()

    assert (await cleo.post(f"passkeys/{found[0]['passkey_id']}/remove")).status_code == 404
    phone = opened()
    assert (await phone.sign_in(second)).status_code == 200
    gone = await ben.post(f"passkeys/{found[0]['passkey_id']}/remove", command_id="c4")
    assert (gone.status_code, gone.json()["is_current"]) == (200, True)
    assert (await ben.me(), await phone.me(), await cleo.me()) == (401, "ben", "cleo")
    assert refusal(await opened().sign_in(ben.key)) == REFUSED

    path = f"passkeys/{found[1]['passkey_id']}/remove"
    assert refusal(await phone.post(path, command_id="c5")) == (409, "last_passkey")
    forced = await phone.post(path, command_id="c6", is_forced=True)
    assert (forced.status_code, await phone.me()) == (200, 401)


async def test_only_a_session_of_a_person_may_add_a_passkey(admin, opened):
    ben = await registered(admin, opened())
    assert (await ben.http.get("/v1/passkeys")).json()["may_add"] is True
    assert (await admin.http.get("/v1/passkeys")).json() == {"passkeys": [], "may_add": False}


async def test_tokens_and_logins_end_with_the_passkey_of_the_session_that_made_them(
    team, admin, opened
):
    ben = await registered(admin, opened())
    made = (await ben.post("tokens", name="script", scope="author", days=1)).json()
    assert made["details"]["passkey_id"]
    bearer = {"Authorization": f"Bearer {made['token']}"}
    program = opened().http
    codes = (await program.post("/v1/device-logins", json={"machine": "laptop"})).json()
    await ben.post(f"device-logins/{codes['user_code']}/confirm")
    asking = {"device_code": codes["device_code"]}
    login = (await program.post("/v1/device-tokens", json=asking)).json()
    both = [bearer, {"Authorization": f"Bearer {login['token']}"}]
    before = [(await program.get("/v1/me", headers=each)).status_code for each in both]

    path = f"passkeys/{made['details']['passkey_id']}/remove"
    gone = await ben.post(path, command_id="c9", is_forced=True)

    after = [(await program.get("/v1/me", headers=each)).json() for each in both]
    assert (before, gone.json()["tokens"], await ben.me()) == ([200, 200], 2, 401)
    assert [each["type"] for each in after] == ["treadle:token_revoked"] * 2


async def test_a_token_registers_no_passkey(team, admin):
    assert refusal(await admin.post("passkeys")) == (403, "role_missing")
