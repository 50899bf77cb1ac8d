"""Browsers with passkeys, at the API of a team."""

from tests.authenticator import Authenticator

HOST = "treadle.example.org"
URL = f"https://{HOST}"


class Browser:
    """A browser with an authenticator; what it sends is signed for the address that it is at."""

    def __init__(self, http, key=None):
        self.http = http
        self.key = key or Authenticator(URL, HOST)
        self.said = {}

    async def post(self, path, **body):
        return await self.http.post(f"/v1/{path}", json=body)

    async def begin(self, path, **body):
        answer = await self.post(path, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def finish(self, path, begun, credential, **more):
        self.said = {"ceremony": begun["ceremony"], "credential": credential, **more}
        return await self.post(f"{path}/finish", **self.said)

    async def register(self, secret, **how):
        begun = await self.begin("passkey-registrations", invitation=secret)
        made = self.key.create(begun["options"], **how)
        return await self.finish("passkey-registrations", begun, made, name="laptop")

    async def sign_in(self, key=None, **how):
        begun = await self.begin("passkey-sign-ins")
        signed = (key or self.key).get(begun["options"], **how)
        return await self.finish("passkey-sign-ins", begun, signed)

    async def me(self):
        answer = await self.http.get("/v1/me")
        return answer.json()["person"] if answer.status_code == 200 else answer.status_code


async def invited(admin, person="ben", hours=24):
    answer = await admin.post(f"people/{person}/invite", hours=hours, command_id="c1")
    assert answer.status_code == 201, answer.text
    return answer.json()["url"].partition("#")[2]


async def registered(admin, browser, person="ben"):
    answer = await browser.register(await invited(admin, person))
    assert answer.status_code == 200, answer.text
    return browser


def refusal(answer):
    return answer.status_code, answer.json()["type"].removeprefix("treadle:")


REFUSED = (403, "sign_in_refused")
ENDED = (410, "person_invitation_ended")
