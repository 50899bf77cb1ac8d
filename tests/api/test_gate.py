import stat

import pytest

from api.core.gate import BODY_LIMIT_BYTES, PLAN_LIMIT_BYTES

JSON = {"Content-Type": "application/json"}
MESSAGES = "/v1/threads/thread-a/messages"
PAUSE = "/v1/threads/thread-a/pause"


async def refused(client, status, name, method="GET", path="/v1/threads", **kwargs):
    answer = await client.request(method, path, **kwargs)
    assert (answer.status_code, answer.json()["type"]) == (status, f"treadle:{name}")
    assert answer.headers["content-type"] == "application/problem+json"
    return answer


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.:80", "10.0.0.1", "127.0.0.1", "127.0.0.1:{}.evil", ""]
)
async def test_a_foreign_host_is_refused_even_with_the_token(down_client, settings, host):
    headers = {"Host": host.format(settings.api_port)}
    await refused(down_client, 421, "host_not_allowed", headers=headers)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
async def test_the_loopback_names_are_allowed(down_client, settings, name):
    answer = await down_client.get("/v1/threads", headers={"Host": f"{name}:{settings.api_port}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_other_web_pages_are_refused(down_client, header):
    await refused(down_client, 403, "origin_not_allowed", headers=header)


async def test_our_own_page_is_allowed(down_client, settings):
    headers = {"Origin": settings.api_url, "Sec-Fetch-Site": "same-origin"}
    answer = await down_client.get("/v1/threads", headers=headers)

    assert answer.status_code == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/v1/threads", "/v1/openapi.json", "/v1/events", "/nothing"])
async def test_everything_but_health_needs_the_token(down_client, path):
    for given, name in ((None, "token_missing"), ("Bearer wrong", "token_wrong")):
        down_client.headers.pop("Authorization", None)
        headers = {"Authorization": given} if given else {}
        await refused(down_client, 401, name, path=path, headers=headers)
    assert (await down_client.get("/v1/health")).status_code == 200


async def test_a_token_in_the_url_does_not_count(down_client, settings):
    token = down_client.headers.pop("Authorization").removeprefix("Bearer ")
    await refused(down_client, 401, "token_missing", path=f"/v1/threads?token={token}")


async def test_the_token_is_made_private_and_kept(down_app, settings):
    assert stat.S_IMODE(settings.token_file.stat().st_mode) == 0o600
    assert len(settings.token_file.read_text().strip()) == 43


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
async def test_a_body_must_say_that_it_is_json(down_client, kind):
    headers = {"Content-Type": kind} if kind else {}
    await refused(down_client, 415, "use_json", "POST", MESSAGES, content=b"{}", headers=headers)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"", "invalid_json"),
        (b'{"text":"a"}x', "invalid_json"),
        (b'{"text":"a","text":"b"}', "duplicate_key"),
        (b'{"text":"\\ud800"}', "bad_unicode"),
        (b'{"\\udfff":1}', "bad_unicode"),
        (b'{"text":NaN}', "invalid_json"),
        (b'{"text":-Infinity}', "invalid_json"),
        (b'{"text":1e400}', "number_out_of_range"),
        (b'{"text":' + b"9" * 5000 + b"}", "number_out_of_range"),
        (b"[" * 100_000, "too_deep"),
        ('{"text":"a"}'.encode("utf-16"), "not_utf8"),
        (b'\xef\xbb\xbf{"text":"a"}', "not_utf8"),
        (b'{"text":"\xff"}', "not_utf8"),
    ],
)
async def test_a_body_that_is_no_plain_json_is_refused_by_name(down_client, body, name):
    await refused(down_client, 400, name, "POST", MESSAGES, content=body, headers=JSON)


async def test_an_edited_plan_may_be_as_large_as_a_plan(down_client):
    edits = "/v1/threads/thread-x/plans/1/edits"
    for size, status in ((PLAN_LIMIT_BYTES, 400), (PLAN_LIMIT_BYTES + 1, 413)):
        answer = await down_client.post(edits, content=b" " * size, headers=JSON)
        assert answer.status_code == status


async def test_a_large_body_is_refused_whether_it_tells_its_length_or_not(down_client):
    async def chunks():
        for _ in range(100):
            yield b" " * 10_000

    large = b" " * (BODY_LIMIT_BYTES + 1)
    for content in (large, chunks()):
        answer = await refused(
            down_client, 413, "body_too_large", "POST", PAUSE, content=content, headers=JSON
        )
        assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("path", ["/v1/threads", "/v1/health", "/v1/threads/x", "/nothing"])
async def test_every_answer_carries_the_security_headers(down_client, path):
    answer = await down_client.get(path)

    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
