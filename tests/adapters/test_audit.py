"""The audit log: whole, in order, written with the decisions that it tells of."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from adapters.journal import open_journal
from adapters.journal.audit import AUDIT, AuditWanted
from domain.core.approvals import Choice, Decider, Outcome
from domain.core.event import Event, Headline
from domain.people.audit import FIRST, AuditEntry, AuditResult, Door
from domain.tasks.events import GateDecided

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def entry(number=1, **fields):
    given = {"at": NOW + timedelta(seconds=number), "person": "anna", "door": Door.API}
    return AuditEntry(**(given | {"action": f"POST /v1/{number}"} | fields))


def decision(number, by="anna", decider=Decider.PERSON):
    outcome = Outcome(
        request_id=f"gate-{number}",
        choice=Choice.APPROVE,
        content_hash=f"{number}" * 64,
        by=by,
        decider=decider,
    )
    return Event(
        id=f"thread-a/t1:{number}", stream="thread-a/t1", at=NOW, body=GateDecided(outcome=outcome)
    )


@pytest.fixture
async def journal(url):
    async with open_journal(url) as opened:
        yield opened


async def test_records_follow_each_other_and_come_back_as_they_were_written(journal):
    log = journal.people.audit
    await log.add(entry(1), entry(2, result=AuditResult.REFUSED, reason="403 role_missing: no"))
    await log.add(entry(3, person="ben", project="/srv/shop"))
    first, second, third = await log.page()
    assert [r.number for r in (first, second, third)] == [1, 2, 3]
    assert (first.previous, second.previous) == (FIRST, first.digest)
    assert third.previous == second.digest
    assert (second.at, second.reason) == (entry(2).at, "403 role_missing: no")
    found = await log.verify()
    assert (found.is_whole, found.records, found.head) == (True, 3, third.digest)


async def test_the_log_is_searched_by_time_person_and_project(journal):
    log = journal.people.audit
    await log.add(*(entry(n, person=f"p{n % 2}", project=f"/srv/{n % 3}") for n in range(6)))
    by_person = await log.page(AuditWanted(person="p1"))
    by_project = await log.page(AuditWanted(project="/srv/2"))
    since = await log.page(AuditWanted(since=NOW + timedelta(seconds=4)))
    assert [r.number for r in by_person] == [2, 4, 6]
    assert [r.number for r in by_project] == [3, 6]
    assert [r.number for r in since] == [5, 6]
    assert [r.number for r in await log.page(after=2, limit=2)] == [3, 4]


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ("DELETE FROM audit WHERE number = 2", 2),
        ("DELETE FROM audit WHERE number = 1", 1),
        ("UPDATE audit SET person = 'ben' WHERE number = 3", 3),
        ("UPDATE audit SET shown = 'x', reason = 'y' WHERE number = 1", 1),
        ("UPDATE audit SET number = 9 WHERE number = 2", 2),
    ],
)
async def test_a_record_that_is_removed_or_changed_is_seen(journal, change, at):
    await journal.people.audit.add(*(entry(n) for n in range(4)))
    await journal.people.audit._engines.write.run(lambda on: on.execute(text(change)))
    found = await journal.people.audit.verify()
    assert (found.is_whole, found.broken_at) == (False, at)


async def test_a_decision_is_in_the_log_with_its_event_once(journal):
    line = Headline(stream="thread-a", kind="thread", title="t", project="/srv/shop")
    policy = decision(2, by="policy", decider=Decider.POLICY)
    await journal.append([], [line])
    await journal.append([decision(1), policy])
    await journal.append([decision(1), decision(3, by="ben")])
    records = await journal.people.audit.page()
    assert [(r.person, r.target) for r in records] == [
        ("anna", "thread-a/t1 gate-1"),
        ("ben", "thread-a/t1 gate-3"),
    ]
    assert {(r.door, r.project) for r in records} == {(Door.WORKFLOW, "/srv/shop")}
    assert records[0].shown == "1" * 64


async def test_a_decision_whose_record_cannot_be_written_is_not_journaled_either(journal):
    engines = journal.people.audit._engines
    await engines.write.run(AUDIT.drop)
    with pytest.raises(Exception, match="audit"):
        await journal.append([decision(1)])
    assert await journal.read("thread-a/t1") == []


async def test_many_who_write_at_once_make_one_chain(journal):
    log = journal.people.audit
    decided = [decision(n).model_copy(update={"stream": f"thread-{n}/t"}) for n in range(20)]
    decided = [d.model_copy(update={"id": f"{d.stream}:1"}) for d in decided]
    writes = [log.add(entry(n)) for n in range(20)] + [journal.append([d]) for d in decided]
    await asyncio.gather(*writes)
    found = await log.verify()
    assert (found.is_whole, found.records) == (True, 40)


async def test_the_same_signal_again_is_one_record(journal):
    log = journal.people.audit
    await log.add(entry(1, key="signal x"), entry(2))
    await log.add(entry(3, key="signal x"), entry(4))
    assert [r.action for r in await log.page()] == ["POST /v1/1", "POST /v1/2", "POST /v1/4"]
    assert (await log.verify()).is_whole
