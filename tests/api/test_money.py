"""Money over REST: what the month has cost, limits, estimates, and who may answer at a limit."""

from datetime import UTC, datetime

import pytest

from domain.agents.ledger import TurnEntry
from domain.agents.limits.money import Limited, LimitScope, SpentLimit, TurnLimits, month_of
from domain.core.event import Event
from domain.core.ids import EventId
from domain.core.money import Money
from domain.money.events import LimitDecided, LimitNear, LimitReached, MoneyOpened
from domain.money.inputs import MONEY
from domain.money.requests import LimitChoice, LimitOutcome, request_of
from tests.api.conftest import client_of, event, headline
from tests.api.test_permissions import guarded, token_for
from tests.api.test_reading import planned

__all__ = ["guarded"]

DOLLAR = 1_000_000


def this_month() -> str:
    """Return the month as it is now: a run of all tests may begin in another one."""
    return month_of(datetime.now(UTC), "UTC")


@pytest.fixture(autouse=True)
def limited(monkeypatch):
    """A limit of two dollars a month, in the settings before those are read."""
    monkeypatch.setenv("TREADLE_MONEY_MONTH_USD", "2")


def entry(number: int = 1, **of: object) -> TurnEntry:
    fields = {"thread": "thread-a", "project": "/shop", "agent": "claude", **of}
    return TurnEntry(key=f"k{number}", turn=f"t{number}", owner="o", **fields)


async def spent(app, usd: float, number: int = 1, **of: object) -> None:
    await app.state.ledger.settle(entry(number, **of), Money(told=round(usd * DOLLAR)))


def reached(scope: LimitScope, number: int = 1) -> LimitReached:
    limit = SpentLimit(scope=scope, limit=2 * DOLLAR, spent=2_100_000)
    return LimitReached(request=request_of(limit, number, None))


async def told(app, *bodies) -> None:
    events = [
        Event(id=EventId(f"{MONEY}:{n}"), stream=MONEY, at=datetime.now(UTC), body=body)
        for n, body in enumerate((MoneyOpened(), *bodies))
    ]
    await app.state.journal.append(events, [])


async def test_the_month_is_shown_with_its_limits_and_what_is_reserved(down_app, down_client):
    await spent(down_app, 1.5)
    await down_app.state.ledger.reserve(entry(2))
    shown = (await down_client.get("/v1/money")).json()

    month, shop = shown["standing"]
    assert (shown["month"], month["limit"], month["spent"]) == (this_month(), 2 * DOLLAR, 1_500_000)
    assert month["reserved"] > 0
    assert (shop["words"], shop["limit"]) == (f"the repository shop in {this_month()}", None)
    assert (shown["monthly"], shown["is_set"]) == ({"project_usd": None, "month_usd": 2.0}, False)


async def test_a_limit_that_is_reached_is_a_card_with_what_its_answer_needs(down_app, down_client):
    month = LimitScope(kind=Limited.MONTH, name=this_month())
    await told(down_app, reached(month))

    [item] = (await down_client.get("/v1/inbox")).json()["items"]
    [asked] = (await down_client.get("/v1/money")).json()["asked"]

    assert (item["kind"], item["workflow_id"]) == ("limit", "money")
    assert "$2.10 of $2.00" in item["subject"]
    assert item["limit"]["content_hash"] == asked["content_hash"]
    assert "stop_at_limit" in asked["signal_lines"]["stop"]


async def test_a_limit_of_this_month_that_is_near_is_a_line(down_app, down_client):
    month = LimitScope(kind=Limited.MONTH, name=this_month())
    old = LimitScope(kind=Limited.MONTH, name="2020-01")
    near = [SpentLimit(scope=s, limit=2 * DOLLAR, spent=1_700_000) for s in (month, old)]
    await told(down_app, *(LimitNear(near=each) for each in near))

    [item] = (await down_client.get("/v1/inbox")).json()["items"]

    assert (item["kind"], item["limit"]) == ("limit_near", None)


async def test_a_limit_is_raised_and_kept(app, client):
    shown = {"request_id": "money/1", "content_hash": "0" * 64}
    raised = await client.post("/v1/money/raise", json={**shown, "usd": 5})
    stopped = await client.post("/v1/money/stop", json=shown)
    changed = await client.post("/v1/money/limits", json={"month_usd": 9.5})

    assert [a.json()["message"] for a in (raised, stopped, changed)] == [
        *("raise_limit", "stop_at_limit", "set_monthly_limits")
    ]
    assert raised.json()["data"]["usd"] == 5
    assert raised.json()["data"]["code"]


async def test_an_empty_change_of_limits_is_refused(client):
    """It would remove them all."""
    refused = await client.post("/v1/money/limits", json={"command_id": "c"})
    removed = await client.post("/v1/money/limits", json={"month_usd": None})

    assert refused.status_code == 422
    assert "month_usd" in refused.json()["detail"]
    assert removed.json()["message"] == "set_monthly_limits"


@pytest.mark.parametrize("usd", ["-1", "0", '"10 €"', "1e9", "NaN", "Infinity", "true", '"5"'])
async def test_what_is_no_amount_is_refused(down_client, usd):
    body = f'{{"request_id": "money/1", "content_hash": "x", "usd": {usd}}}'
    answer = await down_client.post(
        "/v1/money/raise", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code in {400, 422}, answer.text


async def test_who_may_answer_depends_on_what_the_limit_is_of(guarded, settings):
    app, repo = guarded
    project = LimitScope(kind=Limited.PROJECT, name=str(repo.resolve()), month=this_month())
    month = LimitScope(kind=Limited.MONTH, name=this_month())
    await told(app, reached(project, 1), reached(month, 2))
    author = await token_for(app, "author")
    approver = await token_for(app, "approver")
    body = {"content_hash": "x", "usd": 5}
    async with client_of(app, settings) as client:

        async def answered(headers, number):
            named = {**body, "request_id": f"money/{number}"}
            return (await client.post("/v1/money/raise", headers=headers, json=named)).status_code

        assert await answered(author, 1) == 403
        assert await answered(approver, 1) == 503  # Temporal is away: it was let through
        assert await answered(approver, 2) == 403
        seen = (await client.get("/v1/money", headers=author)).json()
        assert [each["request"]["scope"]["kind"] for each in seen["asked"]] == ["project"]
        decided = LimitOutcome(
            request_id="money/1", choice=LimitChoice.STOP, content_hash="x", by="bo"
        )
        await told(app, reached(project, 1), reached(month, 2), LimitDecided(outcome=decided))
        assert await answered(approver, 1) == 503  # who comes late is told so, and not refused


async def test_threads_and_the_queue_are_listed_with_what_they_cost(down_app, down_client):
    opened = planned()[0]
    await down_app.state.journal.append(
        [event(1, "thread-a", opened.body)], [headline("thread-a", status="running")]
    )
    await spent(down_app, 0.25)
    [row] = (await down_client.get("/v1/threads")).json()["threads"]
    assert row["money"]["told"] == 250_000


async def test_a_thread_has_the_limits_of_its_next_turn(down_app, down_client):
    events = planned()
    opened = events[0].body
    planner = opened.planner.model_copy(update={"max_thread_usd": 1.0})
    body = opened.model_copy(update={"planner": planner})
    stream = events[0].stream
    await down_app.state.journal.append([event(1, stream, body)], [headline(stream)])
    await spent(down_app, 0.5, thread=stream, limits=TurnLimits(thread_usd=1))

    limits = (await down_client.get(f"/v1/money/threads/{stream}")).json()["limits"]

    assert [(each["scope"]["kind"], each["limit"], each["spent"]) for each in limits] == [
        ("thread", DOLLAR, 500_000),
        ("month", 2 * DOLLAR, 500_000),
    ]


async def test_what_all_work_costs_is_hidden_from_who_reads_one_repository(guarded, settings):
    app, repo = guarded
    events = planned()
    stream, opened = events[0].stream, events[0].body
    top = str(repo.resolve())
    facts = opened.facts.model_copy(update={"root": top})
    first = event(0, stream, opened.model_copy(update={"facts": facts}))
    line = headline(stream).model_copy(update={"project": top})
    await app.state.journal.append([first, *events[1:]], [line])
    await spent(app, 1.9, project="/elsewhere")
    person = await token_for(app, "approver")
    paths = (f"/v1/money/threads/{stream}", f"/v1/threads/{stream}/plans/1/estimate")
    async with client_of(app, settings) as client:
        shown = [(await client.get(path, headers=person)).json() for path in paths]
        by_owner = [(await client.get(path)).json() for path in paths]

    assert [each["limits"] for each in shown] == [[], []]
    assert shown[1]["beyond"] == []
    assert [each["limits"][0]["scope"]["kind"] for each in by_owner] == ["month", "month"]


@pytest.mark.parametrize("limit", ["max_thread_usd", "max_task_usd"])
async def test_who_may_not_raise_a_limit_opens_no_thread_with_a_higher_one(
    guarded, settings, limit
):
    app, repo = guarded
    planner = settings.planner.model_copy(update={limit: 10.0})
    app.state.settings = settings.model_copy(update={"planner": planner})
    body = {"repository": str(repo), "goal": "Add a flag", "agent": "no-such-agent"}
    is_refused: dict[tuple[str, float], bool] = {}
    async with client_of(app, settings) as client:
        for who in ("author", "approver"):
            headers = await token_for(app, who)
            for usd in (5.0, 20.0):
                wanted = body | {"planner": {limit: usd}}
                answer = await client.post("/v1/threads", json=wanted, headers=headers)
                is_refused[who, usd] = answer.status_code == 403

    assert [one for one, refused in is_refused.items() if refused] == [("author", 20.0)]


async def test_a_plan_is_estimated_beside_its_limits(down_app, down_client):
    events = planned()
    stream, opened = events[0].stream, events[0].body
    await down_app.state.journal.append(events, [headline(stream)])
    path = f"/v1/threads/{stream}/plans/1/estimate"
    nothing = (await down_client.get(path)).json()
    assert nothing["words"].startswith("no estimate")

    like = {"agent": opened.agent, "project": opened.facts.root, "work": "code"}
    for number in range(3):
        await spent(down_app, 0.4, number, task=f"thread-b/t{number}", **like)
    found = (await down_client.get(path)).json()

    assert found["estimate"]["samples"] == 3
    assert found["words"].startswith("$")
    assert len(found["limits"]) == 1


async def test_a_limit_of_a_thread_is_in_the_inbox_of_its_project(guarded, settings):
    """Who may raise it there must see that it waits."""
    app, repo = guarded
    events = planned()
    stream, top = events[0].stream, str(repo.resolve())
    line = headline(stream).model_copy(update={"project": top})
    await app.state.journal.append([event(0, stream, events[0].body), *events[1:]], [line])
    thread = LimitScope(kind=Limited.THREAD, name=stream)
    await told(
        app, reached(thread, 1), reached(LimitScope(kind=Limited.MONTH, name=this_month()), 2)
    )
    person = await token_for(app, "approver")
    async with client_of(app, settings) as client:
        seen = (await client.get("/v1/inbox", headers=person)).json()["items"]

    [item] = [each for each in seen if each["kind"] == "limit"]
    assert (item["thread_id"], item["project"]) == (stream, top)


async def test_a_limit_of_the_month_names_the_threads_that_it_holds(down_app, down_client):
    await spent(down_app, 2)
    for number in (1, 2):
        waits = entry(10 + number, thread=f"thread-{number}")
        waits = waits.model_copy(update={"owner": f"thread-{number}/a"})
        await down_app.state.ledger.reserve(waits)
    await told(down_app, reached(LimitScope(kind=Limited.MONTH, name=this_month())))

    [item] = (await down_client.get("/v1/inbox")).json()["items"]

    assert item["held_threads"] == ["thread-1", "thread-2"]
    assert item["reason"].startswith("Turns of 2 threads wait: thread-1, thread-2. Raise")


async def test_what_was_warned_of_is_shown_until_it_is_asked_of(down_app, down_client):
    month = SpentLimit(
        scope=LimitScope(kind=Limited.MONTH, name=this_month()), limit=2 * DOLLAR, spent=1_700_000
    )
    old = month.model_copy(update={"scope": LimitScope(kind=Limited.MONTH, name="2020-01")})
    await told(down_app, LimitNear(near=month), LimitNear(near=old))
    near = (await down_client.get("/v1/money")).json()["near"]
    assert [(each["scope"]["name"], each["spent"]) for each in near] == [(this_month(), 1_700_000)]

    await told(down_app, LimitNear(near=month), LimitNear(near=old), reached(month.scope))
    assert (await down_client.get("/v1/money")).json()["near"] == []
