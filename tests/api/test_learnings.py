"""Learnings over REST: listed with origin and fate, kept, removed and cited by people, promoted in a thread."""

import asyncio
from datetime import UTC, datetime

import pytest

from domain.core.command import Answer
from domain.core.errors import InvalidError, NotConfirmedError
from domain.core.event import Event, Headline
from domain.core.ids import EventId, StreamId, ThreadId
from domain.learnings.book import CLAIM, LearningBook
from domain.learnings.events import PromotionClaimed, PromotionMerged, PromotionStarted
from domain.learnings.identity import learning_id, learnings_stream
from domain.people.roles import Role
from domain.threads.inputs import ThreadInput
from tests.adapters.test_learnings import REPOSITORY, added, event, open_thread
from tests.api.conftest import client_of
from tests.api.test_permissions import guarded, token_for

__all__ = ["guarded"]

TABS = learning_id("Use tabs in prices")
BODY = {"repository": REPOSITORY}


@pytest.fixture
async def kept(down_app):
    """The id of a learning of a thread."""
    journal = down_app.state.journal
    await open_thread(journal, "thread-a")
    learned = added("thread-a", "Use tabs in prices", commit="c" * 40, verified=["unit tests"])
    await journal.append([learned])
    return TABS


async def listed(client, query=""):
    answer = await client.get(f"/v1/learnings{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()["learnings"]


async def test_they_are_listed_with_origin_uses_and_expiry_while_temporal_is_away(
    kept, down_client
):
    (one,) = await listed(down_client)
    assert (one["learning_id"], one["repository"], one["standing"]) == (kept, REPOSITORY, "live")
    assert one["origins"][0]["evidence"]["verified"] == ["unit tests"]
    assert (one["used"], one["offered"], one["gone"]) == (0, 0, [])
    assert one["expires"] > one["touched_at"]
    assert len(await listed(down_client, "?project=shop")) == 1
    assert await listed(down_client, "?project=other") == []


async def test_a_thread_that_is_gone_is_still_named_and_said_to_be(kept, down_app, down_client):
    await down_app.state.journal.forget(StreamId("thread-a"))
    (one,) = await listed(down_client)
    assert one["learning_id"] == kept
    assert (one["origins"][0]["thread_id"], one["gone"]) == ("thread-a", ["thread-a"])


@pytest.mark.parametrize(
    ("status", "standing"),
    [
        ("running", "promoting"),
        ("failed", "promoting"),
        ("cancelled", "live"),
        ("completed", "live"),
    ],
)
async def test_what_a_promotion_that_ended_did_not_bring_into_agents_md_can_be_promoted_again(
    kept, down_app, down_client, status, standing
):
    journal, stream = down_app.state.journal, StreamId("thread-p")
    line = Headline(stream=stream, kind="thread", project=REPOSITORY, status=status)
    started = PromotionStarted(learning_ids=(kept,), thread_id=ThreadId("thread-p"), by="ann")
    await journal.append([event("p", learnings_stream(REPOSITORY), started)], [line])
    assert (await listed(down_client))[0]["standing"] == standing
    await journal.forget(stream)
    assert (await listed(down_client))[0]["standing"] == "live"


async def test_a_command_of_one_learning_says_nothing_of_another(kept, down_app, down_client):
    await down_app.state.journal.append([added("thread-a", "Never log in twice", task="t-2")])
    for name in (kept, learning_id("Never log in twice")):
        said = {**BODY, "command_id": "k1"}
        assert (await down_client.post(f"/v1/learnings/{name}/keep", json=said)).is_success
    assert {one["standing"] for one in await listed(down_client)} == {"pinned"}


async def test_people_keep_remove_and_use_one_and_the_same_command_counts_once(kept, down_client):
    said = {**BODY, "command_id": "u1"}
    for _ in range(2):
        assert (await down_client.post(f"/v1/learnings/{kept}/used", json=said)).is_success
    assert (await listed(down_client))[0]["used"] == 1
    await down_client.post(f"/v1/learnings/{kept}/keep", json=BODY)
    (one,) = await listed(down_client)
    assert (one["standing"], one["expires"]) == ("pinned", None)
    await down_client.post(f"/v1/learnings/{kept}/keep", json={**BODY, "is_kept": False})
    assert (await listed(down_client))[0]["standing"] == "live"
    await down_client.post(f"/v1/learnings/{kept}/remove", json=BODY)
    assert (await listed(down_client))[0]["standing"] == "removed"


@pytest.mark.parametrize("verb", ["keep", "remove", "used"])
async def test_what_a_repository_has_not_learned_is_not_found(kept, down_client, verb):
    answer = await down_client.post(f"/v1/learnings/l-unknown/{verb}", json=BODY)
    other = {"repository": "/home/ann/other"}
    elsewhere = await down_client.post(f"/v1/learnings/{kept}/{verb}", json=other)
    assert (answer.status_code, elsewhere.status_code) == (404, 404)


async def test_what_was_removed_or_is_not_there_is_not_promoted(kept, down_client):
    body = {**BODY, "learning_ids": ["l-unknown"]}
    assert (await down_client.post("/v1/learnings/promotions", json=body)).status_code == 404
    await down_client.post(f"/v1/learnings/{kept}/remove", json=BODY)
    body = {**BODY, "learning_ids": [kept]}
    answer = await down_client.post("/v1/learnings/promotions", json=body)
    assert answer.status_code == 409, answer.text
    assert "was removed" in answer.json()["detail"]


async def test_readers_see_those_of_their_projects_and_only_authors_change_them(guarded, settings):
    app, repo = guarded
    folder, journal = str(repo.resolve()), app.state.journal
    await open_thread(journal, "thread-b", folder)
    await open_thread(journal, "thread-c", "/home/ann/secret")
    await journal.append([added("thread-b", "in the open"), added("thread-c", "not for you")])
    people = {name: await token_for(app, name) for name in ("viewer", "author")}
    name = learning_id("in the open")
    async with client_of(app, settings) as client:
        found = (await client.get("/v1/learnings", headers=people["viewer"])).json()["learnings"]
        assert [one["text"] for one in found] == ["in the open"]
        body = {"repository": folder}
        for person, status in (("viewer", 403), ("author", 200)):
            answer = await client.post(
                f"/v1/learnings/{name}/keep", json=body, headers=people[person]
            )
            assert answer.status_code == status, answer.text
        secret = {"repository": "/home/ann/secret"}
        refused = await client.post(
            f"/v1/learnings/{learning_id('not for you')}/remove",
            json=secret,
            headers=people["author"],
        )
        assert refused.status_code == 403


async def test_a_program_that_proposes_for_a_person_promotes_and_keeps_nothing(guarded, settings):
    app, repo = guarded
    folder, journal = str(repo.resolve()), app.state.journal
    await open_thread(journal, "thread-b", folder)
    await journal.append([added("thread-b", "approve me")])
    name = learning_id("approve me")
    program = await token_for(app, "author", scope=Role.PROPOSER)
    tried = {
        "/v1/learnings/promotions": {"repository": folder, "learning_ids": [name]},
        f"/v1/learnings/{name}/keep": {"repository": folder},
        f"/v1/learnings/{name}/used": {"repository": folder},
    }
    async with client_of(app, settings) as client:
        answers = [
            await client.post(path, json=body, headers=program) for path, body in tried.items()
        ]
    assert [answer.status_code for answer in answers] == [403, 403, 403]


async def test_what_is_in_agents_md_is_kept_to_be_offered_again_and_does_not_expire(
    kept, down_app, down_client
):
    promoted = {"learning_ids": (kept,), "thread_id": ThreadId("thread-p")}
    merged = PromotionMerged(**promoted, commit="c" * 40, approved_by=("ann",))
    stream = learnings_stream(REPOSITORY)
    await down_app.state.journal.append(
        [event("p", stream, PromotionStarted(**promoted)), event("m", stream, merged)]
    )
    expire = await down_client.post(f"/v1/learnings/{kept}/keep", json={**BODY, "is_kept": False})
    assert (expire.status_code, (await listed(down_client))[0]["standing"]) == (409, "promoted")
    assert (await down_client.post(f"/v1/learnings/{kept}/keep", json=BODY)).is_success
    assert (await listed(down_client))[0]["standing"] == "pinned"


class Opening:
    """Workflows that open every thread, and journal what its first event says of promotions."""

    def __init__(self, journal) -> None:
        self.opened: list[str] = []
        self._journal = journal

    async def open_thread(self, thread: ThreadInput) -> Answer:
        self.opened.append(thread.thread_id)
        started = PromotionStarted(learning_ids=thread.promotes, thread_id=thread.thread_id)
        line = Headline(
            stream=StreamId(thread.thread_id), kind="thread", project=REPOSITORY, status="running"
        )
        noted = event(f"of-{thread.thread_id}", learnings_stream(REPOSITORY), started)
        await self._journal.append([noted], [line])
        return Answer(message="opened")


async def test_what_is_proposed_already_is_not_proposed_twice_and_a_command_is_one_proposal(
    kept, down_app, down_client
):
    down_app.state.workflows = opening = Opening(down_app.state.journal)
    body = {**BODY, "learning_ids": [kept], "agent": "scripted"}
    answers = [
        await down_client.post("/v1/learnings/promotions", json={**body, "command_id": name})
        for name in ("c-1", "c-1", "c-2")
    ]
    first, again, other = answers
    assert first.status_code == 201, first.text
    assert again.json() == first.json()
    assert other.status_code == 409
    assert first.json()["thread_id"] in other.json()["detail"]
    assert {*opening.opened} == {first.json()["thread_id"]}
    await down_app.state.journal.forget(StreamId(first.json()["thread_id"]))
    other = await down_client.post("/v1/learnings/promotions", json={**body, "command_id": "c-2"})
    assert other.status_code == 201


class Slow(Opening):
    """Workflows that take their time to open a thread, and refuse some."""

    def __init__(self, journal, refusal: Exception | None = None) -> None:
        super().__init__(journal)
        self.refusal = refusal

    async def open_thread(self, thread: ThreadInput) -> Answer:
        await asyncio.sleep(0.05)
        if self.refusal is not None:
            raise self.refusal
        return await super().open_thread(thread)


async def test_of_two_proposals_at_the_same_moment_one_is_opened(kept, down_app, down_client):
    other = "Never log in twice"
    await down_app.state.journal.append([added("thread-a", other, task="t-2")])
    down_app.state.workflows = opening = Slow(down_app.state.journal)
    chosen = [[kept], [kept, learning_id(other)], [kept]]
    answers = await asyncio.gather(
        *(
            down_client.post(
                "/v1/learnings/promotions",
                json={
                    **BODY,
                    "learning_ids": ids,
                    "agent": "scripted",
                    "command_id": f"c-{number}",
                },
            )
            for number, ids in enumerate(chosen)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    assert len(opening.opened) == 1


@pytest.mark.parametrize(
    ("refusal", "status"), [(InvalidError("no such agent"), 201), (NotConfirmedError("late"), 409)]
)
async def test_a_proposal_whose_thread_is_refused_keeps_no_other_one_away(
    kept, down_app, down_client, refusal, status
):
    down_app.state.workflows = opening = Slow(down_app.state.journal, refusal)
    body = {**BODY, "learning_ids": [kept], "agent": "scripted"}
    path = "/v1/learnings/promotions"
    assert (await down_client.post(path, json={**body, "command_id": "c-1"})).is_error
    opening.refusal = None
    other = await down_client.post(path, json={**body, "command_id": "c-2"})
    assert other.status_code == status, other.text
    again = await down_client.post(path, json={**body, "command_id": "c-1"})
    assert again.status_code == (409 if status == 201 else 201), again.text


def test_a_thread_that_was_lost_while_it_was_opened_keeps_its_claim_for_a_while():
    book, at = LearningBook(REPOSITORY), datetime(2026, 11, 30, tzinfo=UTC)
    claimed = PromotionClaimed(learning_ids=(TABS,), thread_id=ThreadId("thread-p"))
    stream = learnings_stream(REPOSITORY)
    book.add(Event(id=EventId("c"), stream=stream, at=at, body=claimed))
    assert book.claimed_by(TABS, at + CLAIM / 2) == "thread-p"
    assert book.claimed_by("l-other", at) is None
    assert book.claimed_by(TABS, at + CLAIM) is None


async def test_the_same_command_does_not_say_two_things(kept, down_client):
    said = {**BODY, "command_id": "k1"}
    path = f"/v1/learnings/{kept}/keep"
    for _ in range(2):
        assert (await down_client.post(path, json=said)).json()["message"] == "kept for good"
    other = await down_client.post(path, json={**said, "is_kept": False})
    assert (other.status_code, other.json()["type"]) == (409, "treadle:key_reused")
    assert (await listed(down_client))[0]["standing"] == "pinned"
