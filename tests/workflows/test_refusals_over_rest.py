"""What a person may not do, over REST and real workflows: status and type."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.journal import SqlJournal
from api.app import create_app
from api.core.workflow_client import WorkflowClient
from domain.core.event import Event, Headline
from settings import Settings
from tests import fakes
from tests.workflows.conftest import House

PLAN = {
    "summary": "s",
    "decisions": [
        {"id": "auth", "question": "Which?", "options": [{"label": "JWT"}, {"label": "cookies"}]},
        {
            "id": "parts",
            "question": "What?",
            "multi_select": True,
            "options": [{"label": "auth"}, {"label": "logging"}],
        },
    ],
    "tasks": [
        {"id": "t1", "title": "One", "gate": "auto"},
        {"id": "t2", "title": "Two", "depends_on": ["t1"]},
        {"id": "t4", "title": "Four", "depends_on": ["t2"]},
        {"id": "t5", "title": "Five", "depends_on": ["t4"], "decision_id": "auth"},
        {"id": "t6", "title": "Six", "depends_on": ["t4"], "decision_id": "parts"},
    ],
}


class Person:
    """Who asks over REST about one thread."""

    def __init__(self, http: httpx.AsyncClient, house: House, journal: SqlJournal) -> None:
        self.http = http
        self.house = house
        self.journal = journal
        self.thread = ""

    async def says(self, path: str, **body: Any) -> httpx.Response:
        return await self.http.post(f"/v1/threads/{self.thread}/{path}", json=body)

    async def table(self, rows: list[tuple[Any, ...]]) -> None:
        """Ask each row's request; compare what came back with its status, type and words."""
        for name, path, body, status, kind, words in rows:
            answer = await self.says(path, **body)
            got = answer.json()
            assert (answer.status_code, got.get("type")) == (status, f"treadle:{kind}"), (name, got)
            assert words in got["detail"], name

    async def amendment(self, number: int, *changes: dict[str, Any]) -> dict[str, str]:
        """Propose the n-th change of the running plan; return its request once it is shown."""
        amendment = {"why": "w", "base_version": 1, "changes": changes}
        assert (await self.says("amendments", amendment=amendment)).status_code == 201
        shown = await self.house.seen(self.thread, "amendment_proposed", number=number)
        return shown.body.model_dump()["request"]


@contextlib.asynccontextmanager
async def written_to_both(memory: fakes.MemoryJournal, real: SqlJournal) -> AsyncIterator[None]:
    """Have what a test awaits be in the API's journal first."""
    remember = memory.append
    under_way: set[asyncio.Task[None]] = set()

    async def append(events: Sequence[Event], headlines: Sequence[Headline] = ()) -> None:
        # a worker that stops cancels its activities; within a query that costs the connection
        write = asyncio.create_task(real.append(events, headlines))
        under_way.add(write)
        await asyncio.shield(write)
        await remember(events, headlines)

    memory.append = append
    yield
    memory.append = remember
    await asyncio.gather(*under_way)


@contextlib.asynccontextmanager
async def api_before(house: House, folder: Path, **more: Any) -> AsyncIterator[Person]:
    """Serve the API before the house's workflows, with the house's events in its journal."""
    settings = Settings(data_dir=folder / "data", default_agent="scripted", **more)
    app = create_app(settings, house.client)
    async with app.router.lifespan_context(app):
        app.state.workflows = WorkflowClient(house.client, fakes.FixedKey())
        token = settings.token_file.read_text().strip()
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app),
            base_url=settings.api_url,
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
            timeout=60,
        )
        async with client as http, written_to_both(house.journal, app.state.journal):
            yield Person(http, house, app.state.journal)


@pytest.fixture
async def person(house: House, tmp_path: Path) -> AsyncIterator[Person]:
    """The API before the house's workflows."""
    async with api_before(house, tmp_path) as person:
        yield person


@pytest.fixture
async def running(person: Person) -> Person:
    """A plan whose t1 is completed, t2 is at its gate, t4 and t5 wait."""
    house = person.house
    person.thread = (await house.open()).id
    await house.approve(person.thread, await house.proposed(person.thread, PLAN))
    await house.seen(f"{person.thread}/t2", "gate_opened")
    return person


def modify(name: str, **fields: Any) -> dict[str, Any]:
    return {"change": "modify", "task_id": name, "task": fields}


def remove(name: str) -> dict[str, Any]:
    return {"change": "remove", "task_id": name}


def add(name: str) -> dict[str, Any]:
    return {"change": "add", "task": {"id": name, "title": name}}


def amending(
    name: str, changes: list[dict[str, Any]], status: int, kind: str, words: str
) -> tuple[Any, ...]:
    body = {"amendment": {"why": "w", "base_version": 1, "changes": changes}}
    return name, "amendments", body, status, kind, words


async def test_no_amendment_changes_what_has_begun_or_is_needed(running: Person) -> None:
    needs_new = [add("t9"), modify("t2", depends_on=["t9"])]
    await running.table(
        [
            amending("B48 modify", [modify("t1", title="x")], 409, "task_completed", "t1"),
            amending("B48 remove", [remove("t1")], 409, "task_completed", "t1"),
            amending(
                "B49 modify", [modify("t2", title="x")], 409, "task_running", "abort it first"
            ),
            amending("B49 remove", [remove("t2")], 409, "task_running", "abort it first"),
            amending("B50", [remove("t4")], 422, "has_dependents", "t5"),
            amending("B51", [add("t4")], 409, "duplicate_id", "t4"),
            amending("B52", needs_new, 409, "task_running", "depend on"),
        ]
    )
    assert (await running.http.get(f"/v1/threads/{running.thread}/amendments")).json() == []


async def test_only_what_was_shown_and_still_holds_is_decided(running: Person) -> None:
    old = await running.amendment(1, modify("t4", title="old"))
    new = await running.amendment(2, modify("t4", title="new"))
    other = {**verdict(new), "content_hash": old["content_hash"]}
    await running.table([("B54", "approvals", other, 409, "not_what_was_shown", new["request_id"])])
    once = verdict(new, command_id="once")
    first = await running.says("approvals", **once)
    again = await running.says("approvals", **once)
    alike = await running.says("approvals", **verdict(new, command_id="twice"))
    assert [a.status_code for a in (first, again, alike)] == [200, 200, 200]
    assert first.json() == again.json() == alike.json()
    opposite = verdict(new, choice="reject", feedback="no")
    unknown = {**verdict(new), "request_id": "amendment-99"}
    await running.table(
        [
            ("B53", "approvals", verdict(old), 409, "stale", "modifies 1 task"),
            ("B55", "approvals", opposite, 409, "already_decided", new["request_id"]),
            ("B56", "approvals", unknown, 404, "not_found", "amendment-99"),
        ]
    )


def verdict(request: dict[str, str], **more: str) -> dict[str, str]:
    shown = {name: request[name] for name in ("request_id", "content_hash")}
    return {**shown, "choice": "approve", **more}


async def test_a_decision_takes_its_own_options_only(running: Person) -> None:
    def deciding(decision: str, said: Any, status: int, kind: str, words: str) -> tuple[Any, ...]:
        name = f"B56 {decision} {said!r}"
        return name, f"decisions/{decision}", {"selections": said}, status, kind, words

    many = "auth, logging"
    await running.table(
        [
            deciding("nothing", ["JWT"], 404, "not_found", "auth, parts"),
            deciding("auth", ["magic"], 422, "invalid", "JWT, cookies"),
            deciding("auth", ["JWT", "cookies"], 422, "invalid", "JWT, cookies"),
            deciding("parts", [], 422, "invalid", many),
            deciding("parts", "auth,,logging", 422, "invalid", many),
            deciding("parts", "auth,auth", 422, "invalid", many),
        ]
    )


async def test_what_the_moment_does_not_allow_names_the_state(running: Person) -> None:
    await running.table(
        [
            ("B57 retry running", "tasks/t2/retry", {}, 409, "wrong_state", "running"),
            ("B57 retry completed", "tasks/t1/retry", {}, 409, "wrong_state", "completed"),
            ("B57 resume", "resume", {}, 409, "wrong_state", "active"),
        ]
    )
    assert [(await running.says("pause")).status_code for _ in range(2)] == [200, 200]
    aborted = [await running.says("tasks/t4/abort") for _ in range(2)]
    assert [answer.status_code for answer in aborted] == [200, 200], "B58, one that waits"
    await running.says("tasks/t2/abort")
    assert (await running.says("tasks/t2/abort")).status_code == 200, "B58, one at work"
    await running.house.seen(f"{running.thread}/t2", "task_ended")
    await running.house.seen(running.thread, "task_abort_requested")
    kinds = running.house.journal.kinds(running.thread)
    assert [kinds.count(k) for k in ("plan_status_changed", "task_abort_requested")] == [1, 1]
    assert (await running.says("cancel")).status_code == 200
    late = {"selections": ["JWT"]}
    await running.table([("B57", "decisions/auth", late, 409, "wrong_state", "cancelled")])


async def test_a_rejection_says_something_and_not_a_book(running: Person) -> None:
    task = f"{running.thread}/t2"
    opened = await running.house.seen(task, "gate_opened")
    no = verdict(opened.body.model_dump()["request"], choice="reject")
    await running.table(
        [
            ("B59 none", "approvals", no, 422, "invalid", "feedback"),
            ("B59 blank", "approvals", {**no, "feedback": " \n"}, 422, "invalid", "feedback"),
            (
                "B59 long",
                "approvals",
                {**no, "feedback": "x" * 1_000_000},
                422,
                "too_long",
                "100000",
            ),
            (
                "B59 1 MiB",
                "approvals",
                {**no, "feedback": "x" * 2**20},
                413,
                "body_too_large",
                "bytes",
            ),
        ]
    )
    assert "gate_decided" not in running.house.journal.kinds(task)
