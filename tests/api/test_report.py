import re
from html.parser import HTMLParser

import pytest

from api.reports.report import CONTENT_POLICY
from domain.core.event import Headline
from tests.api.conftest import event
from tests.domain.report_lab import started, step, turn_over, updated

HOSTILE = "</td><script>alert(1)</script>\"'\x1b[2J\u202e&amp;"


class Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in {"meta", "rect", "line"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
async def reported(down_client, down_app):
    journal = down_app.state.journal
    bodies = (
        started("a", "b"),
        updated("a", "running"),
        updated("a", "completed"),
        updated("b", "running"),
        updated("b", "failed", notes=HOSTILE),
    )
    line = Headline(stream="thread-a", kind="thread", project="/home/u/shop")
    await journal.append([event(n, body=body) for n, body in enumerate(bodies)], [line])
    of_task = (step(HOSTILE, passed=False), turn_over(failure="it exited"))
    await journal.append([event(n, "thread-a/b", body) for n, body in enumerate(of_task)])
    return down_client


async def test_the_report_is_read_without_temporal(reported):
    report = (await reported.get("/v1/report")).json()
    assert report["tasks"]["ended"] == {"completed": 1, "failed": 1}
    assert report["plans"]["unfinished"] == {"stalled": 1}
    assert report["steps"][0]["failed"] == 1
    assert (report["since"], report["time_zone"]) == (None, "UTC")


@pytest.mark.parametrize("project", ["shop", "/home/u/shop"])
async def test_a_report_is_of_a_project_and_since_a_time(reported, project):
    asked = {"since": "2025-12-31", "project": project}
    report = (await reported.get("/v1/report", params=asked)).json()
    assert (report["project"], report["since"]) == (project, "2025-12-31T00:00:00Z")
    assert sum(report["tasks"]["ended"].values()) == 2
    report = (await reported.get("/v1/report", params={"since": "1h"})).json()
    assert report["events"] == 0


@pytest.mark.parametrize(
    ("asked", "status", "name"),
    [
        ({"since": "soon"}, 422, "bad_since"),
        ({"since": "2999-01-01"}, 422, "bad_since"),
        ({"since": "9" * 41}, 422, "too_long"),
        ({"since": ""}, 422, "empty"),
        ({"project": "nowhere"}, 404, "unknown_project"),
        ({"project": "%"}, 404, "unknown_project"),
        ({"project": "a\x00b"}, 422, "invalid"),
        ({"until": "7d"}, 422, "unknown_parameter"),
    ],
)
async def test_a_wrong_question_is_refused_with_words(reported, asked, status, name):
    for path in ("/v1/report", "/v1/report.html"):
        answer = await reported.get(path, params=asked)
        assert (answer.status_code, answer.json()["type"]) == (status, f"treadle:{name}")


async def test_the_page_needs_nothing_and_runs_nothing(reported):
    answer = await reported.get("/v1/report.html")
    page = answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    tags = Tags(page)
    assert tags.open == []
    assert not tags.seen & {"script", "link", "img", "iframe", "object", "a"}
    assert not {a for a in tags.attributes if a.startswith("on")} | tags.attributes & {
        "style",
        "src",
    }
    assert "http" not in page.replace("http-equiv", "")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", page)
    assert "&lt;script&gt;" in page


async def test_the_page_says_what_a_browser_may_do_and_the_door_lets_it(reported):
    answer = await reported.get("/v1/report.html")
    policy = answer.headers.get_list("content-security-policy")
    assert policy == [f"{CONTENT_POLICY}; frame-ancestors 'none'"]
    assert "default-src 'none'" in policy[0]
    assert f'content="{CONTENT_POLICY}"' in answer.text
    other = await reported.get("/v1/report")
    assert other.headers.get_list("content-security-policy")[0].startswith("default-src 'self'")


async def test_of_nothing_there_is_a_report_that_says_so(down_client):
    assert (await down_client.get("/v1/report")).json()["events"] == 0
    assert "No data" in (await down_client.get("/v1/report.html")).text
