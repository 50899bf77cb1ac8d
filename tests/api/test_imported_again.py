"""A session that is continued a second time over REST: what is said then reaches its thread."""

from datetime import UTC, datetime

import pytest

from domain.agents.past_sessions import ImportedSession
from domain.conversations.commands import SendMessage
from domain.core.command import Answer, Command
from domain.core.errors import NotFoundError, TreadleError
from domain.core.event import Event, Headline
from domain.core.ids import EventId, StreamId, ThreadId
from domain.core.workspaces import RepositoryFacts
from domain.people.roles import Role
from domain.plans.templates.template import PlanTemplate
from domain.threads.events import ThreadOpened
from domain.threads.inputs import ThreadInput
from tests.api.conftest import client_of
from tests.api.test_permissions import guarded, token_for

__all__ = ["guarded"]


class Workflows:
    """Opens a thread once, with the first goal, and keeps what is said to it."""

    def __init__(self, journal) -> None:
        self.attempts: list[str] = []
        self.refuses: TreadleError | None = None
        self.said: list[tuple[str, str, str]] = []
        self._journal = journal
        self._open: set[str] = set()

    async def open_thread(self, thread: ThreadInput, attempt: str = "open") -> Answer:
        self.attempts.append(attempt)
        if self.refuses is not None:
            raise self.refuses
        if thread.thread_id not in self._open:
            self._open.add(thread.thread_id)
            await self._note(thread, StreamId(thread.thread_id))
        return Answer(message="opened")

    async def send(self, workflow_id: str, command: Command) -> Answer:
        assert isinstance(command, SendMessage)
        self.said.append((workflow_id, command.text, command.command_id))
        return Answer(message="queued")

    async def _note(self, thread: ThreadInput, stream: StreamId) -> None:
        opened = ThreadOpened(
            goal=thread.goal,
            agent=thread.agent,
            template=PlanTemplate(name="t"),
            facts=RepositoryFacts(root=thread.repository, head="c" * 40),
            imported=ImportedSession(agent_session="s-1"),
            branch="treadle/x",
        )
        event = Event(id=EventId(f"{stream}.1"), stream=stream, at=datetime.now(UTC), body=opened)
        line = Headline(stream=stream, kind="thread", project=thread.repository, status="chat")
        await self._journal.append([event], [line])


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repo"
    (folder / ".git").mkdir(parents=True)
    return str(folder)


def body_of(repository, goal, command_id):
    continues = {"agent_session": "s-1"}
    return {
        "repository": repository,
        "goal": goal,
        "command_id": command_id,
        "continues": continues,
        "agent": "scripted",
    }


async def test_the_goal_of_a_second_import_is_a_message(down_app, down_client, repository):
    down_app.state.workflows = workflows = Workflows(down_app.state.journal)
    answers = [
        await down_client.post("/v1/threads", json=body_of(repository, goal, command))
        for goal, command in (("Go on", "c-1"), ("Go on", "c-2"), ("And a test", "c-3"))
    ]
    assert [answer.status_code for answer in answers] == [201] * 3, answers[-1].text
    [thread] = {answer.json()["thread_id"] for answer in answers}
    assert [answer.json()["message"] for answer in answers] == ["opened", thread, "queued"]
    assert workflows.said == [(thread, "And a test", "c-3")]
    assert len(workflows.attempts) == 1, "it is open"


async def test_what_was_refused_once_is_tried_again(down_app, down_client, repository):
    """The thread of a session has one id for ever: a refusal must not be its answer for ever."""
    down_app.state.workflows = workflows = Workflows(down_app.state.journal)
    workflows.refuses = NotFoundError("mine lists no session 's-1'")
    refused = [
        await down_client.post("/v1/threads", json=body_of(repository, "Go on", command))
        for command in ("c-1", "c-1", "c-2", "")
    ]
    workflows.refuses = None
    opened = await down_client.post("/v1/threads", json=body_of(repository, "Go on", "c-4"))
    first, same, second, third = workflows.attempts[:4]
    assert [answer.status_code for answer in (*refused, opened)] == [404] * 4 + [201]
    assert first == same, "the same command has the same answer"
    assert len({first, second, third, workflows.attempts[4]}) == 4


async def test_who_may_not_speak_in_the_thread_says_nothing_there(guarded, settings):
    app, repo = guarded
    app.state.workflows = workflows = Workflows(app.state.journal)
    elsewhere = ThreadInput(
        thread_id=ThreadId("thread-x"), goal="Go on", repository="/elsewhere", agent="scripted"
    )
    async with client_of(app, settings) as client:
        author = await token_for(app, "author", scope=Role.AUTHOR)
        named = body_of(str(repo.resolve()), "And a test", "c-1")
        first = await client.post("/v1/threads", json={**named, "goal": "Go on"}, headers=author)
        assert first.status_code == 201, first.text
        await app.state.journal.forget(StreamId(first.json()["thread_id"]))
        name = ThreadId(first.json()["thread_id"])
        await workflows._note(elsewhere.model_copy(update={"thread_id": name}), StreamId(name))
        app.state.journal.people.projects._known.clear()
        answer = await client.post(
            "/v1/threads", json={**named, "command_id": "c-2"}, headers=author
        )
    assert answer.status_code in {403, 404}, answer.text
    assert workflows.said == []
