"""The page's files: which addresses have them, and what a browser is told with them."""

import json
import re

import pytest
from fastapi import Request

from api.core.page import SCREENS, Page
from tests.api.test_gate import refused


@pytest.mark.parametrize("address", json.loads(SCREENS.read_text()))
async def test_every_screen_has_its_address(down_client, address):
    answer = await down_client.get(re.sub(r":\w+\??", "thread-a-1", address))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    "path", ["/", "/threads/thread-a-1", "/assets/a.js", "/favicon.svg", "/favicon.ico"]
)
async def test_nothing_of_the_page_comes_without_a_session(down_client, path):
    del down_client.headers["Authorization"]
    await refused(down_client, 401, "token_missing", path=path)


async def test_a_person_without_a_session_is_told_how_to_get_one(down_client):
    del down_client.headers["Authorization"]

    answer = await down_client.get("/threads/thread-a-1", headers={"Accept": "text/html,*/*"})

    assert answer.status_code == 401
    assert "<pre>treadle open</pre>" in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_a_person_at_an_address_of_nothing_is_told_so_by_the_page(down_client):
    answer = await down_client.get("/nope/nothing", headers={"Accept": "text/html,*/*"})

    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert '<div id="root">' in answer.text
    assert "require-trusted-types-for 'script'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("path", "accept"), [("/nope", "*/*"), ("/v1/nope", "text/html"), ("/v1", "text/html")]
)
async def test_a_program_at_an_address_of_nothing_gets_a_problem(down_client, path, accept):
    await refused(down_client, 404, "not_found", path=path, headers={"Accept": accept})


async def test_a_person_without_a_session_learns_nothing_of_an_address(down_client):
    del down_client.headers["Authorization"]

    answer = await down_client.get("/nope", headers={"Accept": "text/html"})

    assert answer.status_code == 401
    assert "<pre>treadle open</pre>" in answer.text


async def test_a_browser_that_asks_for_an_icon_by_itself_gets_ours(down_client):
    ours, asked = [await down_client.get(f"/favicon.{kind}") for kind in ("svg", "ico")]
    assert (asked.status_code, asked.headers["content-type"]) == (200, "image/svg+xml")
    assert asked.content == ours.content


@pytest.mark.parametrize("path", ["/assets/no.js", "/assets/../page.py", "/assets/%2e%2e/.stamp"])
async def test_only_what_was_built_is_served(down_client, path):
    answer = await down_client.get(path)
    assert answer.status_code in {401, 404}
    assert "import" not in answer.text


def test_a_page_that_is_replaced_at_this_moment_is_no_error(tmp_path):
    (tmp_path / "index.html").write_text("")
    (tmp_path / "a.js").write_text("")
    page = Page(tmp_path)
    page.answer("", Request({"type": "http", "headers": []}))
    (tmp_path / "a.js").unlink()

    assert page.answer("a.js", Request({"type": "http", "headers": []})) is None


async def test_an_asset_lasts_and_the_page_does_not(down_client):
    page = await down_client.get("/")
    name = re.search(r'src="(/assets/[^"]+\.js)"', page.text).group(1)
    asset = await down_client.get(name, headers={"Accept-Encoding": "gzip"})

    assert page.headers["cache-control"] == "no-store"
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-encoding"] == "gzip"
    assert asset.headers["content-type"].startswith("text/javascript")


async def test_each_page_has_a_nonce_of_its_own(down_client):
    policies = [(await down_client.get("/")).headers["content-security-policy"] for _ in range(2)]

    nonces = [re.search(r"style-src 'self' 'nonce-([\w-]{20,})'", p).group(1) for p in policies]
    assert len(set(nonces)) == 2
    assert "'unsafe" not in policies[0]
    assert "require-trusted-types-for 'script'" in policies[0]


def test_a_page_that_is_not_built_says_how_it_is(tmp_path):
    answer = Page(tmp_path).answer("", None)
    assert answer.status_code == 503
    assert b"make setup" in answer.body
