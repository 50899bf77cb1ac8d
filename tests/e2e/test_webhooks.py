"""A forge's webhooks and a whole engine: they lead to a look at once, and nothing else comes of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psutil
import pytest

from domain.core.ids import issue_thread_id
from domain.publications.pace import Pace
from tests.e2e.engine import DEADLINE_SECONDS, Engine, until
from tests.e2e.forged import ForgedJob, forged_repository
from tests.e2e.hooked import LISTEN, Hooks, hooked_engine
from tests.forge.double import Double
from tests.forge.world import Pull

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

QUIET = 7
"""Looks that find nothing new, after which a clock waits for longer than a test does."""


class Hooked(NamedTuple):
    """An engine that takes webhooks, the forge that sends them, and a job there."""

    job: ForgedJob
    double: Double
    hooks: Hooks


@pytest.fixture(scope="module")
def repository(double: Double, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return forged_repository(tmp_path_factory.mktemp("repository"), double)


@pytest.fixture(scope="module")
async def hooked_up(
    double: Double, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Engine]:
    engine = hooked_engine(double, tmp_path_factory.mktemp("hooked") / "hooked", repository)
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


@pytest.fixture
async def hooked(
    double: Double, repository: Path, hooked_up: Engine, tmp_path: Path
) -> AsyncIterator[Hooked]:
    await hooked_up.repair()
    async with (
        hooked_up.http() as http,
        httpx.AsyncClient(trust_env=False, timeout=30) as outside,
    ):
        job = ForgedJob(hooked_up, http, tmp_path, double, repository)
        yield Hooked(job, double, Hooks(double, hooked_up, outside))


async def published(hooked: Hooked) -> Pull:
    """Have a pull request that is watched."""
    await hooked.job.begin()
    await hooked.job.seen("plan_completed")
    return await hooked.job.publish()


def looks_of(double: Double, pull: Pull) -> Callable[[], int]:
    """Return what counts how often a pull request was looked at."""
    wanted = f"GET /repos/{double.path}/pulls/{pull.number}"
    return lambda: sum(asked.split("?")[0] == wanted for asked in list(double.requests))


def lists_of(double: Double) -> int:
    """Return how often the issues were listed."""
    wanted = f"GET /repos/{double.path}/issues"
    return sum(asked.split("?")[0] == wanted for asked in list(double.requests))


async def bored(job: ForgedJob, place: str, count: Callable[[], int]) -> None:
    """Have something looked at until its clock waits for minutes."""
    for _ in range(QUIET):
        before = count()
        await job.post(f"{place}/look", {})
        await until(lambda before=before: count() > before)


async def newest(hooked: Hooked) -> list[dict[str, Any]]:
    return (await hooked.job.http.get("/v1/webhooks")).json()["deliveries"]


@pytest.mark.smoke
async def test_a_delivery_leads_to_a_look_where_the_clock_would_wait(
    hooked: Hooked, tmp_path: Path
):
    job, double, hooks = hooked
    pull = await published(hooked)
    await bored(job, job.place, looks_of(double, pull))
    await bored(job, "/v1/trackers/work", lambda: lists_of(double))
    assert Pace(quiet=QUIET).wait(0, is_pending=False) > 2 * DEADLINE_SECONDS

    double.set_check(pull.commit, "tests", "failed", log="1 failed")
    about = {"check_run": {"head_sha": pull.commit}, "action": "completed"}
    told = await hooks.send(hooks.delivery("check_run", about))
    await job.seen("pull_request_item_opened", job.watch(pull.number))
    issue = double.open_issue(double.path, "Write a note", "Please.", labels="treadle")
    asked = await hooks.send(hooks.of_issue(issue))
    taken = ForgedJob(job.engine, job.http, tmp_path / "of-issue", double, job.repository)
    taken.thread = issue_thread_id(f"github {double.host}", str(issue.id), 1)
    await taken.seen("plan_proposed")

    assert [told.json(), asked.json()] == [{"outcome": "looked"}] * 2
    assert [card["kind"] for card in await job.cards()] == ["failed_check"]


async def test_what_a_payload_claims_is_not_believed_and_no_delivery_counts_twice(hooked: Hooked):
    job, double, hooks = hooked
    pull = await published(hooked)
    count = looks_of(double, pull)
    await bored(job, job.place, count)
    before = count()

    newer = hooks.of_pull(pull, state="open", comments=1)
    older = hooks.of_pull(pull, state="closed", merged=True, merge_commit_sha="f" * 40)
    answers = [(await hooks.send(each)).json()["outcome"] for each in (newer, older, newer, older)]
    await until(lambda: count() > before)
    double.comment_as("ann", pull, "Rename it.")
    last = await hooks.send(hooks.of_pull(pull))
    await job.seen("pull_request_item_opened", job.watch(pull.number))

    assert answers == ["looked", "looked", "duplicate", "duplicate"]
    assert last.json() == {"outcome": "looked"}
    assert pull.state == "open"
    kinds = Counter(each.event.body.kind for each in job.events)
    assert kinds["pull_request_ended"] == 0
    assert kinds["pull_request_item_opened"] == 1
    assert sum(pulled.head == pull.head for pulled in double.pulls.values()) == 1


async def test_what_does_not_belong_there_is_refused_as_the_guide_says(hooked: Hooked):
    _, double, hooks = hooked
    good = hooks.delivery("pull_request", {"pull_request": {"number": 999}})
    large = (good[0], b"x" * 10_485_760)
    answers = {
        "forged": await hooks.send(hooks.delivery("pull_request", {}, secret="b" * 32)),
        "changed": await hooks.send((good[0], good[1] + b" ")),
        "large": await hooks.send(large),
        "path": await hooks.send(good, "/v1/threads"),
        "below": await hooks.send(good, "/hooks/hub/more"),
        "method": await hooks.send(good, method="PUT"),
        "unknown": await hooks.send(good, "/hooks/nobody"),
        "form": await hooks.send(
            ({**good[0], "content-type": "application/x-www-form-urlencoded"}, good[1])
        ),
        "elsewhere": await hooks.send(
            hooks.delivery("pull_request", {"repository": {"html_url": "https://evil.example/a/b"}})
        ),
    }
    statuses = {name: answer.status_code for name, answer in answers.items()}

    assert statuses == {
        "forged": 401,
        "changed": 401,
        "large": 413,
        "path": 404,
        "below": 404,
        "method": 405,
        "unknown": 404,
        "form": 415,
        "elsewhere": 202,
    }
    assert answers["elsewhere"].json() == {"outcome": "ignored"}
    assert not any("/999" in each for each in list(double.requests))


async def test_the_api_stays_on_loopback_and_behind_its_token(hooked: Hooked):
    job, _, hooks = hooked
    settings = job.engine.settings
    found = [one for one in psutil.net_connections("tcp") if one.status == psutil.CONN_LISTEN]
    at = {
        port: {one.laddr[0] for one in found if one.laddr[1] == port}
        for port in (settings.api_port, settings.webhooks.address[1])
    }
    token = settings.token_file.read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "X-Treadle": "1"}
    inside = await hooks.client.get(
        f"http://{settings.webhooks.listen}/v1/threads", headers=headers
    )

    assert at[settings.api_port] == {"127.0.0.1"}
    assert at[settings.webhooks.address[1]] == {LISTEN}
    assert inside.status_code == 404
    with pytest.raises(httpx.ConnectError):
        await hooks.client.get(f"http://{LISTEN}:{settings.api_port}/v1/health")


async def test_the_commands_of_the_guide_try_it_and_show_what_came(hooked: Hooked):
    job, _, hooks = hooked
    await hooks.send(hooks.delivery("check_suite", {"check_suite": {"head_sha": "f" * 40}}))
    tried = job.engine.run("treadle", "webhooks", "test", "hub")
    listed = job.engine.run("treadle", "webhooks", "list")
    unknown = job.engine.run("treadle", "webhooks", "test", "nobody")

    assert tried.returncode == 0, tried.stderr
    assert "answered with 202, a forged one with 401" in tried.stderr
    assert f"Webhooks come in at {job.engine.settings.webhooks.listen}." in listed.stderr
    assert {"check_suite", "ping", "/hooks/hub"} <= set(listed.stdout.split())
    assert unknown.returncode != 0
    assert "there are: hub" in unknown.stdout + unknown.stderr


async def test_a_storm_is_bounded_and_each_delivery_is_taken_once(hooked: Hooked):
    job, double, hooks = hooked
    pull = await published(hooked)
    count = looks_of(double, pull)
    await bored(job, job.place, count)
    before, storm = count(), [hooks.of_pull(pull, comments=number) for number in range(300)]

    async def sent(each: tuple[dict[str, str], bytes]) -> list[tuple[int, str]]:
        answers: list[tuple[int, str]] = []
        while not answers or answers[-1][0] == 429:
            answer = await hooks.send(each)
            answers.append((answer.status_code, answer.json().get("outcome", "")))
        return answers

    told = await asyncio.gather(*(sent(each) for each in storm))
    ends = Counter(answers[-1] for answers in told)
    double.comment_as("ann", pull, "Rename it.")
    await hooks.send(hooks.of_pull(pull))
    await job.seen("pull_request_item_opened", job.watch(pull.number))

    assert ends == {(202, "looked"): len(storm)}
    assert count() - before < len(storm) / 5, "a storm is a few looks"
    assert (await job.http.get("/v1/health")).status_code == 200


async def test_nothing_is_lost_if_the_api_dies_between_its_answer_and_the_look(hooked: Hooked):
    job, double, hooks = hooked
    pull = await published(hooked)
    double.set_check(pull.commit, "tests", "failed", log="1 failed")
    delivery = hooks.of_pull(pull)
    answered = await hooks.send(delivery)
    job.engine.kill("api")
    await job.engine.repair()
    again = await hooks.send(delivery)
    await job.seen("pull_request_item_opened", job.watch(pull.number))

    assert (answered.status_code, answered.json()) == (202, {"outcome": "looked"})
    assert again.json() == {"outcome": "duplicate"}
    ids = [each["delivery_id"] for each in await newest(hooked)]
    assert ids.count(delivery[0]["x-github-delivery"]) == 1
    kinds = Counter(each.event.body.kind for each in job.events)
    assert kinds["pull_request_item_opened"] == 1
