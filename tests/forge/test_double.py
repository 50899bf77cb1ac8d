"""The forge double itself: what its moods do, and that it counts."""

import httpx
import pytest

from domain.forges.projects import ForgeKind
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.moods import Mood, Moods

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def opening(double: Double, head: str) -> httpx.Response:
    double.push_as(double.path, head)
    body = {"title": "t", "body": "b", "head": head, "base": "main"}
    url = f"{double.url}/repos/{double.path}/pulls"
    return httpx.post(url, json=body, headers=HEADERS, timeout=60)


@pytest.mark.parametrize("kind", [ForgeKind.GITHUB, ForgeKind.GITEA])
def test_an_answer_that_is_lost_was_carried_out(kind: ForgeKind):
    moods = Moods(rate=0, planned=[Mood.ANSWER_LOST, Mood.FAILS, Mood.LIMITED])
    with forge_double(kind, moods) as double:
        assert opening(double, "one").status_code == 502
        assert opening(double, "two").status_code == 500
        assert opening(double, "two").headers["Retry-After"] == "1"
        assert opening(double, "two").status_code == 201

    assert double.opened == {("octo/work", "one"): 1, ("octo/work", "two"): 1}
    assert double.wrong == []


def test_a_connection_is_dropped_before_or_after():
    moods = Moods(rate=0, planned=[Mood.DROPPED, Mood.DROPPED_AFTER])
    with forge_double(ForgeKind.GITHUB, moods) as double:
        for head in ("one", "two"):
            with pytest.raises(httpx.RemoteProtocolError):
                opening(double, head)

    assert double.opened == {("octo/work", "two"): 1}


def test_the_same_seed_gives_the_same_moods():
    one, two = Moods(seed=7), Moods(seed=7)

    assert [one.next() for _ in range(200)] == [two.next() for _ in range(200)]
    assert set(one.counts) == set(Mood)


def test_what_did_not_change_is_not_sent_again():
    with forge_double(ForgeKind.GITLAB) as double:
        url = f"{double.url}/projects/octo%2Fteam%2Fwork/issues"
        first = httpx.get(url, headers=HEADERS, timeout=60)
        again = {**HEADERS, "If-None-Match": first.headers["ETag"]}
        second = httpx.get(url, headers=again, timeout=60)
        double.open_issue(double.path, "It fails")
        third = httpx.get(url, headers=again, timeout=60)

    assert (first.json(), second.status_code) == ([], 304)
    assert [each["title"] for each in third.json()] == ["It fails"]
