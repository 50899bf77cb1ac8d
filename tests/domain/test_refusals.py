"""Refusals in the audit log: each is told of, and nobody can fill it."""

from datetime import UTC, datetime, timedelta

from domain.people.audit import AuditEntry, AuditResult, Door
from domain.people.refusals import Bound, Refusals

START = datetime(2026, 11, 1, tzinfo=UTC)
SMALL = Bound(first=3, in_span=8)


def refusal(seconds: float = 0, address: str = "10.0.0.1", **more: str) -> AuditEntry:
    given = {"person": "", "action": "GET /v1/threads", "reason": "401 token_wrong: it is", **more}
    at = START + timedelta(seconds=seconds)
    return AuditEntry(at=at, address=address, door=Door.API, result=AuditResult.REFUSED, **given)


def test_the_first_is_told_at_once_and_repeats_once_a_minute():
    refusals = Refusals(SMALL)
    first = refusal()
    assert refusals.note(first) == [first]
    assert [refusals.note(refusal(second)) for second in range(1, 50)] == [[]] * 49
    assert refusals.are_counted
    told = refusals.due(START + timedelta(seconds=61))
    assert [each.reason for each in told] == ["401 token_wrong: 49 more within a minute"]
    assert told[0].address == "10.0.0.1"
    assert not refusals.are_counted


def test_another_address_reason_or_door_of_a_person_is_told_of_its_own():
    refusals = Refusals(Bound(first=10, in_span=100))
    seen = [
        refusal(),
        refusal(address="10.0.0.2"),
        refusal(reason="401 token_expired: it is"),
        refusal(person="ben", action="POST /v1/queue/limits"),
        refusal(person="ben", action="POST /v1/agents"),
    ]
    assert [refusals.note(each) for each in seen] == [[each] for each in seen]
    assert refusals.note(refusal(action="GET /elsewhere")) == []


def test_many_addresses_become_one_number():
    refusals = Refusals(SMALL)
    told = [refusals.note(refusal(0, f"10.0.1.{number}")) for number in range(200)]
    assert sum(map(len, told)) == SMALL.first
    (rest,) = refusals.due(START + timedelta(minutes=1))
    assert rest.address == "several addresses"
    assert rest.reason.startswith("197 more requests")


def test_an_hour_of_knocking_stays_within_its_bound_and_loses_no_count():
    refusals = Refusals(SMALL)
    told: list[AuditEntry] = []
    for second in range(3600):
        told += refusals.note(refusal(second, f"10.0.{second % 250}.1"))
    assert len(told) == SMALL.in_span
    told += refusals.due(START + timedelta(hours=3))
    counted = [int(each.reason.split()[0]) for each in told if each.address.startswith("several")]
    again = [int(each.reason.split()[2]) for each in told if "within a minute" in each.reason]
    single = len(told) - len(counted) - len(again)
    assert single + sum(counted) + sum(again) == 3600


def test_the_end_of_a_server_tells_what_it_counted():
    refusals = Refusals(SMALL)
    refusals.note(refusal())
    refusals.note(refusal(1))
    (last,) = refusals.due(START + timedelta(seconds=2), is_last=True)
    assert last.reason == "401 token_wrong: 1 more within a minute"
    assert refusals.due(START + timedelta(hours=1), is_last=True) == []
