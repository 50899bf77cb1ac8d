import pytest

from api.core.browser_sessions import LINK_LIMIT, LINKS_IN_ALL, NAME, BrowserSessions
from tests.api.conftest import client_of

PAUSE = "/v1/threads/thread-a/pause"


@pytest.fixture
async def browser(down_app, settings):
    """A client that keeps cookies and has no token."""
    async with client_of(down_app, settings) as opened:
        del opened.headers["Authorization"]
        opened.base_url = f"http://{NAME}:{settings.api_port}"
        yield opened


async def sign_in(owner, browser):
    link = (await owner.post("/v1/browser-links", json={})).json()["url"]
    return link, await browser.get(link)


async def test_a_link_signs_one_browser_in_once(down_client, browser):
    link, answer = await sign_in(down_client, browser)

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert all(
        word in cookie for word in ("httponly", "samesite=strict", "path=/", "max-age=43200")
    )
    page = await browser.get("/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (await browser.get("/v1/threads")).status_code == 200
    again = await down_client.get(link)
    assert (again.status_code, again.json()["type"]) == (410, "treadle:link_gone")
    seen = await browser.get(link, headers={"Accept": "text/html"})
    assert (seen.status_code, seen.headers["content-type"]) == (410, "text/html; charset=utf-8")
    assert "<pre>treadle open</pre>" in seen.text


async def test_a_page_that_changes_something_says_its_origin(down_client, browser, settings):
    await sign_in(down_client, browser)

    without = await browser.post(PAUSE, json={})
    foreign = await browser.post(PAUSE, json={}, headers={"Origin": "http://evil.example"})
    own = await browser.post(PAUSE, json={}, headers={"Origin": str(browser.base_url).rstrip("/")})
    del browser.headers["X-Treadle"]
    form = await browser.post(PAUSE, json={}, headers={"Origin": str(browser.base_url).rstrip("/")})

    assert [a.json()["type"] for a in (without, foreign, own, form)] == [
        "treadle:origin_missing",
        "treadle:origin_not_allowed",
        "treadle:unavailable",  # Temporal is away
        "treadle:x_treadle_missing",
    ]


async def test_a_cookie_counts_under_the_name_that_agents_servers_have_not(
    down_client, browser, settings
):
    link, _ = await sign_in(down_client, browser)
    stolen = {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}
    elsewhere = await browser.get(f"{settings.api_url}/v1/threads", headers=stolen)
    other = link.replace(NAME, "127.0.0.1")

    assert elsewhere.status_code == 401
    assert (await browser.get(other)).json()["type"] == "treadle:host_not_allowed"


@pytest.mark.parametrize("cookie", ["", "x", "1.2.3", "9999999999.a.b", "٣.a.b", "é"])
async def test_a_made_up_cookie_does_not_count(browser, settings, cookie):
    headers = {"Cookie": f"treadle-session-{settings.api_port}={cookie}".encode()}
    answer = await browser.get("/v1/threads", headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (401, "treadle:token_missing")


def test_neither_a_restart_nor_a_new_token_lets_an_old_link_or_cookie_in():
    sessions = BrowserSessions(b"token", 1)
    link, cookie = sessions.new_link(), sessions.redeem(sessions.new_link())

    assert sessions.is_good(cookie)
    assert BrowserSessions(b"token", 1).redeem(link) is None
    assert BrowserSessions(b"token", 1).is_good(cookie)
    assert not BrowserSessions(b"another", 1).is_good(cookie)


@pytest.mark.parametrize("people", [[""] * 30, [f"token:{number}" for number in range(30)]])
def test_thirty_people_each_use_a_link_made_in_the_same_moment(people):
    sessions = BrowserSessions(b"token", 1)
    links = [(person, sessions.new_link(person)) for person in people]
    cookies = [(person, sessions.redeem(link)) for person, link in links]
    assert [sessions.subject_of(cookie or "") for _, cookie in cookies] == people


def test_links_that_nobody_takes_expire_for_who_has_too_many_only():
    sessions = BrowserSessions(b"token", 1)
    other = sessions.new_link("token:b")
    links = [sessions.new_link("token:a") for _ in range(LINK_LIMIT + 1)]
    assert [sessions.redeem(link) is None for link in links] == [True] + [False] * LINK_LIMIT
    assert sessions.redeem(other)


def test_links_of_all_people_do_not_pile_up():
    sessions = BrowserSessions(b"token", 1)
    rare = sessions.new_link("token:rare")
    people = [f"token:{number}" for number in range(LINKS_IN_ALL // LINK_LIMIT)]
    links = [sessions.new_link(person) for person in people for _ in range(LINK_LIMIT)]
    assert sum(sessions.redeem(link) is not None for link in links) == LINKS_IN_ALL - 1
    assert sessions.redeem(rare)
