"""Suggestions at the gate of a real workflow: applied once, verified again, refused where they are stale."""

import asyncio

import pytest

from domain.core.approval_commands import Approve
from domain.core.approvals import decision_code
from domain.core.errors import (
    ForbiddenError,
    NotFoundError,
    NotShownError,
    RepositoryError,
    StaleError,
)
from domain.core.suggestions import Suggestion
from domain.tasks.edits import ApplySuggestions
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

LINE = Suggestion(path="a.py", first=1, last=1, text="x = 2")


@pytest.fixture
async def waiting(house: House) -> tuple[str, dict[str, str]]:
    """A task at its gate, and its request."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    opened = await house.seen(task, "gate_opened")
    return task, opened.body.model_dump()["request"]


def asked(task: str, request: dict[str, str]) -> ApplySuggestions:
    said = {key: request[key] for key in ("request_id", "content_hash")}
    bare = ApplySuggestions(**said, by="tester", command_id="click", suggestions=(LINE,))
    code = decision_code(b"test key", task, bare.request, bare.choice, bare.content)
    return bare.model_copy(update={"code": code})


async def test_they_are_committed_and_verified_and_the_gate_opens_on_them(
    house: House, waiting: tuple[str, dict[str, str]]
) -> None:
    task, request = waiting
    await house.send(task, asked(task, request))

    applied = (await house.seen(task, "suggestions_applied")).body.model_dump()
    again = (await house.seen(task, "gate_opened", number=2)).body.model_dump()
    assert [lines for _, lines in house.workspaces.edits] == [(LINE,)]
    assert again["snapshot"]["commit"] == applied["snapshot"]["commit"]
    assert again["request"]["content_hash"] != request["content_hash"]
    with pytest.raises(NotFoundError):
        await house.send(task, house.verdict(task, Approve, request))
    await house.send(task, house.verdict(task, Approve, again["request"]))


async def test_two_clicks_apply_them_once(
    house: House, waiting: tuple[str, dict[str, str]]
) -> None:
    task, request = waiting
    click = asked(task, request)
    await asyncio.gather(house.send(task, click), house.send(task, click))

    await house.seen(task, "gate_opened", number=2)
    assert len(house.workspaces.edits) == 1


async def test_where_the_files_changed_meanwhile_the_gate_opens_as_it_was(
    house: House, waiting: tuple[str, dict[str, str]]
) -> None:
    task, request = waiting
    house.workspaces.edit_failure = StaleError("a.py changed")
    await house.send(task, asked(task, request))

    refused = (await house.seen(task, "suggestions_refused")).body.model_dump()
    again = (await house.seen(task, "gate_opened", number=2)).body.model_dump()
    assert refused["failure"] == "a.py changed"
    assert again["request"] == request


async def test_where_they_cannot_be_committed_they_are_taken_out_before_the_gate_opens(
    house: House, waiting: tuple[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    task, request = waiting

    async def gone(*_: object) -> None:
        raise RepositoryError("the branch is gone")

    monkeypatch.setattr(house.workspaces, "commit", gone)
    await house.send(task, asked(task, request))

    refused = (await house.seen(task, "suggestions_refused")).body.model_dump()
    again = (await house.seen(task, "gate_opened", number=2)).body.model_dump()
    (written, _), (taken, lines) = house.workspaces.edits
    assert taken.startswith(f"{written} without ")
    assert taken.endswith("/edits-1")
    assert lines == (LINE,)
    assert refused["failure"] == "the branch is gone"
    assert again["request"] == request


async def test_where_they_cannot_be_taken_out_either_a_person_is_told(
    house: House, waiting: tuple[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    task, request = waiting

    async def gone(*_: object) -> None:
        raise RepositoryError("the repository is gone")

    monkeypatch.setattr(house.workspaces, "commit", gone)
    monkeypatch.setattr(house.workspaces, "take_back", gone)
    await house.send(task, asked(task, request))

    refused = (await house.seen(task, "suggestions_refused")).body.model_dump()
    assert "the lines may still be in the task's files" in refused["failure"]


async def test_of_other_content_or_without_a_code_they_are_refused(
    house: House, waiting: tuple[str, dict[str, str]]
) -> None:
    task, request = waiting
    with pytest.raises(NotShownError):
        await house.send(task, asked(task, {**request, "content_hash": "0" * 64}))
    bare = ApplySuggestions(
        request_id=request["request_id"], content_hash=request["content_hash"], suggestions=(LINE,)
    )
    with pytest.raises(ForbiddenError):
        await house.send(task, bare)


async def test_a_code_is_worth_nothing_for_other_lines(
    house: House, waiting: tuple[str, dict[str, str]]
) -> None:
    task, request = waiting
    other = LINE.model_copy(update={"text": "import os"})
    stolen = asked(task, request).model_copy(update={"suggestions": (other,)})
    with pytest.raises(ForbiddenError):
        await house.send(task, stolen)
