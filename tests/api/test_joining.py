"""Joining by REST: what a machine with an invitation gets, and who gets nothing."""

from adapters.processes.run_ledger import boot_id

ATTEMPT = "a" * 40
DONE = 201


async def invited(client, **fields):
    answer = await client.post("/v1/host-invitations", json={"command_id": "c1", **fields})
    assert answer.status_code == DONE
    return answer.json()


def machine(token, **fields):
    known = {"token": token, "host": "ab12ab12", "name": "alpha", "attempt": ATTEMPT}
    return {**known, "boot": boot_id(), **fields}


async def join(client, token, **fields):
    """Join without any other credentials."""
    request = client.build_request("POST", "/v1/host-joins", json=machine(token, **fields))
    del request.headers["authorization"]
    return await client.send(request)


def refusal(answer):
    return answer.status_code, answer.json()["type"].removeprefix("treadle:")


async def test_a_machine_gets_the_keys_and_addresses(down_client, down_app, settings):
    token = (await invited(down_client))["token"]
    found = (await join(down_client, token)).json()
    assert found["payload_keys"] == settings.payload_key_file.read_text().strip()
    assert found["decision_key"] == settings.code_key_file.read_text().strip()
    assert found["settings"]["journal_url"] == settings.journal
    assert found["temporal"]["address"] == f"127.0.0.1:{settings.temporal_port}"
    (host,) = (await down_client.get("/v1/hosts")).json()["hosts"]
    assert (host["name"], host["silent"]) == ("alpha", True)


async def test_an_invitation_is_good_once(down_client):
    token = (await invited(down_client, name="build-2"))["token"]
    assert (await join(down_client, token)).json()["name"] == "build-2"
    assert (await join(down_client, token)).json()["name"] == "build-2"
    other = await join(down_client, token, host="cd34cd34", attempt="b" * 40)
    assert refusal(other) == (409, "invitation_used")
    (listed,) = (await down_client.get("/v1/host-invitations")).json()["invitations"]
    assert listed["used_by"] == "ab12ab12"
    assert "hash" not in listed


async def test_who_has_no_good_invitation_gets_nothing(down_client):
    made = await invited(down_client)
    for token in ("x" * 40, f"trdlj_{'x' * 40}"):
        assert refusal(await join(down_client, token)) == (403, "invitation_unknown")
    await down_client.post(
        f"/v1/host-invitations/{made['details']['invitation_id']}/revoke", json={}
    )
    assert refusal(await join(down_client, made["token"])) == (403, "invitation_expired")


async def test_a_file_is_shared_with_no_other_machine(down_client):
    token = (await invited(down_client))["token"]
    answer = await join(down_client, token, boot="another")
    assert refusal(answer) == (409, "not_shared")
    assert "treadle move-journal" in answer.json()["detail"]
    assert (await join(down_client, token)).is_success


async def test_temporals_certificates_are_sent_in_place_of_their_paths(
    down_client, monkeypatch, tmp_path
):
    (tmp_path / "client.pem").write_text("CERTIFICATE")
    monkeypatch.setenv("TEMPORAL_ADDRESS", "temporal.example:7233")
    monkeypatch.setenv("TEMPORAL_NAMESPACE", "team")
    monkeypatch.setenv("TEMPORAL_API_KEY", "sesame")
    monkeypatch.setenv("TEMPORAL_TLS_CLIENT_CERT_PATH", str(tmp_path / "client.pem"))
    token = (await invited(down_client))["token"]
    found = (await join(down_client, token)).json()["temporal"]
    assert (found["address"], found["namespace"]) == ("temporal.example:7233", "team")
    assert (found["api_key"], found["tls"]["client_cert_data"]) == ("sesame", "CERTIFICATE")
