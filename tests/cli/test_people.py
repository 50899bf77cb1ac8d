"""`treadle people` and `treadle passkeys`: what is sent, and what is printed."""

import pytest
from typer.testing import CliRunner

from cli.app import app

LINK = "https://treadle.example.org/sign-in/invitation#3q2-7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWc"


@pytest.fixture
def treadle(api, settings):
    def run(*arguments):
        done = CliRunner().invoke(app, [*arguments])
        assert done.exception is None, done.exception
        return done

    return run


def test_an_invitation_is_printed_as_a_link_alone(api, treadle):
    made = {"person": "ben", "url": LINK, "expires_at": "2026-12-01T10:00:00+00:00"}
    api.answers["POST /v1/people/ben/invite"] = (201, made)
    done = treadle("people", "invite", "ben", "--hours", "3")
    assert api.got[-1][2]["hours"] == 3
    assert LINK in done.stdout.splitlines()
    assert "For ben, once" in done.output


def test_revoking_a_person_tells_what_ended(api, treadle):
    ended = {"person": "ben", "passkeys": 2, "sessions": 1, "tokens": 0}
    api.answers["POST /v1/people/ben/revoke"] = (200, ended)
    done = treadle("people", "revoke", "ben")
    assert "ben in any more: 2 passkeys, 1 sessions, 0 tokens" in done.output


def test_passkeys_are_listed_and_removed(api, treadle):
    laptop = {"passkey_id": "ab12", "name": "laptop", "used_at": None}
    laptop["created_at"] = "2026-12-01T10:00:00+00:00"
    api.answers["GET /v1/passkeys"] = (200, {"passkeys": [laptop]})
    api.answers["POST /v1/passkeys/ab12/remove"] = (200, laptop | {"tokens": 2})
    assert "ab12" in treadle("passkeys", "list").stdout
    removed = treadle("passkeys", "remove", "ab12", "--force").output
    assert "Removed laptop. Whoever was signed in with it is signed out" in removed
    assert "2 tokens are revoked" in removed
