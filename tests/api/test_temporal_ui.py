"""Temporal's Web UI under our sign-in: who gets in, and what they see."""

import base64
import json

import pytest

from adapters.files.key_ring import KeyRing
from adapters.temporal.conversion import data_converter
from api.app import create_app
from api.temporal_ui import writes
from api.temporal_ui.host import BODY_LIMIT_BYTES
from api.temporal_ui.place import NAME, find_web_ui
from settings import Settings
from tests.adapters.test_codec import activity
from tests.api.conftest import client_of
from tests.api.web_ui import RUN

CODEC = "/v1/temporal/codec"


async def sealed(settings, text="treasure"):
    converter = data_converter(KeyRing(settings.payload_key_file)).with_context(activity())
    [payload] = await converter.encode([text])
    metadata = {k: base64.b64encode(v).decode() for k, v in payload.metadata.items()}
    return {"payloads": [{"metadata": metadata, "data": base64.b64encode(payload.data).decode()}]}


def clear(answer):
    return json.loads(base64.b64decode(answer.json()["payloads"][0]["data"]))


async def test_a_link_signs_in_once_and_leads_to_the_workflow(
    down_client, web_ui_browser, settings
):
    made = await down_client.post("/v1/temporal/links", json={"workflow_id": "thread-x/left"})
    link = made.json()["url"]
    assert link.startswith(f"http://{NAME}:{settings.api_port}/open/")
    first, again = await web_ui_browser.get(link), await web_ui_browser.get(link)
    assert first.status_code == 303
    assert first.headers["location"] == "/namespaces/default/workflows/thread-x%2Fleft"
    cookie = first.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
    assert "domain" not in cookie
    assert (again.status_code, "treadle open --temporal" in again.text) == (410, True)


async def test_the_page_leads_there_without_another_sign_in(down_app, down_client, settings):
    async with client_of(down_app, settings) as page:
        del page.headers["Authorization"]
        page.base_url = f"http://treadle.localhost:{settings.api_port}"
        without = await page.get("/temporal?workflow=thread-x")
        await page.get((await down_client.post("/v1/browser-links", json={})).json()["url"])
        answer = await page.get("/temporal?workflow=thread-x")
        odd = await page.get("/temporal?workflow=%2F%2Fevil.example")
    assert without.status_code == 401
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"http://{NAME}:{settings.api_port}/open/")
    assert answer.headers["location"].endswith("?workflow=thread-x")
    assert odd.status_code == 422


async def test_reading_passes_with_no_cookie_or_token_of_ours(signed_in, web_ui):
    signed_in.cookies.set("_csrf", "c1", domain=NAME)
    answer = await signed_in.get(f"{RUN.replace('/runs/r1', '')}?x=1")
    assert answer.json() == {"ok": True}
    [(method, path, headers, _)] = web_ui.requests
    assert (method, path) == ("GET", RUN.replace("/runs/r1", ""))
    assert headers["cookie"] == "_csrf=c1"
    assert {"authorization", "origin"}.isdisjoint(headers)
    assert answer.headers.get_list("set-cookie") == ["_csrf=c1; Path=/"]


async def test_a_document_runs_its_own_scripts_and_reaches_no_other_host(signed_in, web_ui):
    answer = await signed_in.get("/namespaces/default/workflows", headers={"Accept": "text/html"})
    policy = dict(
        part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
    )
    assert policy["connect-src"] == "'self'"
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["script-src"].count("'sha256-") == 2  # its own, and our presets
    assert "<head><script>" in answer.text
    assert "unsafe" not in policy["script-src"]
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_the_settings_name_our_codec_server_and_hide_what_is_refused(
    signed_in, web_ui, settings
):
    found = (await signed_in.get("/api/v1/settings")).json()
    assert found["Codec"] == {
        "Endpoint": f"http://{NAME}:{settings.api_port}{CODEC}",
        "PassAccessToken": False,
        "IncludeCredentials": True,
        "DefaultErrorMessage": "",
    }
    assert all(found[name] for name in writes.DISABLED)
    assert found["DefaultNamespace"] == "default"


@pytest.mark.parametrize(
    "path", ["/auth/sso", "/api/v2/x", "/nothing/here", "/metrics", "/debug/pprof"]
)
async def test_addresses_that_the_web_ui_does_not_have_are_not_passed_on(signed_in, web_ui, path):
    assert (await signed_in.get(path)).status_code == 404
    assert not web_ui.requests


async def test_who_is_signed_in_sees_what_is_sealed(signed_in, settings):
    answer = await signed_in.post(f"{CODEC}/decode", json=await sealed(settings))
    assert clear(answer) == "treasure"
    line = {"payloads": [{"metadata": {"encoding": "anNvbi9wbGFpbg=="}, "data": "e30="}]}
    assert (await signed_in.post(f"{CODEC}/encode", json=line)).json() == line
    assert (await signed_in.post(f"{CODEC}/decode", json=[1])).status_code == 400
    large = await signed_in.post(f"{CODEC}/decode", content=b" " * (BODY_LIMIT_BYTES + 1))
    assert large.status_code == 413


@pytest.mark.parametrize("path", ["decode", "encode"])
async def test_without_the_cookie_of_the_web_ui_nothing_is_decoded(
    down_app, down_client, web_ui_browser, web_ui, settings, path
):
    body = await sealed(settings)
    async with client_of(down_app, settings) as page:  # another cookie of the same user
        await page.get((await down_client.post("/v1/browser-links", json={})).json()["url"])
        ours = {"Cookie": "; ".join(f"{name}={value}" for name, value in page.cookies.items())}
    own = {"Origin": str(web_ui_browser.base_url).rstrip("/")}
    renamed = {"Cookie": ours["Cookie"].replace("treadle-session", "treadle-temporal")}
    for headers in (own, {**own, **ours}, {**own, **renamed}):
        answer = await web_ui_browser.post(f"{CODEC}/{path}", json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, 16)
        assert "treadle open --temporal" in answer.json()["message"]
    seen = await web_ui_browser.get(
        "/namespaces/default/workflows", headers={"Accept": "text/html"}
    )
    assert (seen.status_code, "treadle open --temporal" in seen.text) == (401, True)
    assert not web_ui.requests


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
async def test_a_foreign_page_gets_nothing(signed_in, web_ui, settings, headers):
    body = await sealed(settings)
    for path in (f"{CODEC}/decode", f"{CODEC}/encode", f"{RUN}/terminate"):
        assert (await signed_in.post(path, json=body, headers=headers)).status_code == 403
    signed_in.headers.pop("Origin")
    read = await signed_in.get("/api/v1/settings", headers=headers)
    assert read.status_code == 403
    assert "access-control-allow-origin" not in read.headers
    assert not web_ui.requests


async def test_what_changes_something_says_its_origin(signed_in, web_ui):
    del signed_in.headers["Origin"]
    assert (await signed_in.post(f"{RUN}/terminate", json={})).status_code == 403
    assert not web_ui.requests


async def test_a_link_of_our_page_is_followed(signed_in, web_ui):
    del signed_in.headers["Origin"]
    headers = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"}
    assert (await signed_in.get("/namespaces/default/workflows", headers=headers)).is_success


async def test_the_page_s_cookie_and_the_web_ui_s_are_good_for_nothing_else(
    down_client, signed_in, settings
):
    stolen = {"Cookie": "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())}
    renamed = {"Cookie": stolen["Cookie"].replace("treadle-temporal", "treadle-session")}
    del down_client.headers["Authorization"]
    host = {"Host": f"treadle.localhost:{settings.api_port}"}
    for cookie in (stolen, renamed):
        assert (await down_client.get("/v1/threads", headers={**host, **cookie})).status_code == 401


async def test_temporal_s_command_line_decodes_with_the_token_alone(down_client, settings):
    """`temporal --codec-endpoint …` sends the token and no header of ours."""
    body = await sealed(settings)
    del down_client.headers["X-Treadle"]
    assert clear(await down_client.post(f"{CODEC}/decode", json=body)) == "treasure"
    assert (await down_client.post(f"{CODEC}/encode", json=body)).json() == body
    down_client.headers["Authorization"] = "Bearer wrong"
    assert (await down_client.post(f"{CODEC}/decode", json=body)).status_code == 401
    del down_client.headers["Authorization"]
    assert (await down_client.post(f"{CODEC}/decode", json=body)).status_code == 401


async def test_many_payloads_are_no_flood(signed_in, settings):
    body = await sealed(settings)
    answers = [await signed_in.post(f"{CODEC}/decode", json=body) for _ in range(150)]
    assert {answer.status_code for answer in answers} == {200}


async def test_a_server_that_is_away_is_said_so(signed_in):
    answer = await signed_in.get("/api/v1/settings")
    assert (answer.status_code, answer.json()["code"]) == (503, 14)
    assert "treadle up" in answer.json()["message"]


@pytest.mark.parametrize(
    ("address", "more", "found"),
    [
        ("", {}, f"http://{NAME}:1"),
        ("", {"is_temporal_ui_on": False}, None),
        ("cluster:7233", {}, None),
        ("cluster:7233", {"temporal_ui_url": "http://ui:8080/"}, f"http://{NAME}:1"),
        ("cluster:7233", {"temporal_ui_url": "https://cloud.example"}, "https://cloud.example"),
    ],
)
def test_an_existing_cluster_s_web_ui_is_the_one_of_the_settings(
    monkeypatch, tmp_path, address, more, found
):
    if address:
        monkeypatch.setenv("TEMPORAL_ADDRESS", address)
    place = find_web_ui(Settings(data_dir=tmp_path, api_port=1, **more))
    assert (place and place.address(1)) == found


async def test_without_a_web_ui_no_link_is_offered(settings, monkeypatch):
    app = create_app(settings.model_copy(update={"is_temporal_ui_on": False}))
    async with app.router.lifespan_context(app), client_of(app, settings) as client:
        assert (await client.get("/v1/temporal")).json()["url"] is None
        made = await client.post("/v1/temporal/links", json={})
        host = {"Host": f"{NAME}:{settings.api_port}"}
        assert (await client.get("/v1/threads", headers=host)).status_code == 421
    assert (made.status_code, made.json()["type"]) == (409, "treadle:temporal_ui_off")


async def test_a_secured_cluster_s_web_ui_is_linked(settings, monkeypatch):
    monkeypatch.setenv("TEMPORAL_ADDRESS", "cluster:7233")
    app = create_app(settings.model_copy(update={"temporal_ui_url": "https://cloud.example"}))
    async with app.router.lifespan_context(app), client_of(app, settings) as client:
        made = await client.post("/v1/temporal/links", json={"workflow_id": "thread-x/left"})
    assert made.json() == {
        "url": "https://cloud.example/namespaces/default/workflows/thread-x%2Fleft",
        "seconds": None,
    }
