"""A thread that goes on with a session of its agent: what the agent is given, and told."""

import pytest

from domain.agents.agents import PromptName, SessionRole
from domain.agents.past_sessions import ImportedSession
from domain.conversations.commands import BeginTurn
from domain.conversations.sessions.inputs import SessionInput, primer_of
from domain.conversations.sessions.rules import OpenConversation, QueuePrompt, decide, fold
from domain.conversations.sessions.state import SessionState
from domain.core.ids import ThreadId, session_stream
from domain.core.workspaces import RepositoryFacts
from domain.plans.templates.template import PlanTemplate
from domain.reading.event_text import text_of
from domain.threads import rules
from domain.threads.calls import OpenedThread
from domain.threads.commands import OpenThread
from domain.threads.events import PromptQueued, SessionOpened, ThreadOpened
from domain.threads.state import ThreadState
from tests.domain.world import NOW

THREAD = ThreadId("thread-session-abc")
IMPORTED = ImportedSession(
    agent_session="theirs",
    cwd="/work/web",
    title="Fix the build",
    history_ref="f" * 64,
    messages=4,
    said="**You**\n\nFix it",
)


def opened(uncommitted: int = 0) -> tuple[ThreadState, list]:
    facts = RepositoryFacts(
        root="/work/web", head="a" * 40, head_branch="main", uncommitted=uncommitted
    )
    found = OpenedThread(
        facts=facts,
        template=PlanTemplate(name="plain"),
        branch="treadle/x",
        host="here",
        begins_at="a" * 40,
        imported=IMPORTED,
    )
    opening = OpenThread(
        thread_id=THREAD, goal="Go on", agent="fake", opened=found, is_planned=False
    )
    state = ThreadState(thread_id=THREAD)
    events = rules.decide(state, opening, NOW).events
    return rules.fold(state, events), list(events)


def test_the_first_session_of_the_thread_is_the_agents_own():
    state, events = opened()
    (session,) = [e for e in events if isinstance(e, SessionOpened)]
    assert session.agent_session == "theirs"
    assert state.sessions[session.session_id].agent_session == "theirs"
    assert session.role is SessionRole.CHAT


@pytest.mark.parametrize(("uncommitted", "is_told"), [(0, False), (3, True)])
def test_its_agent_is_told_where_it_is_now(uncommitted: int, is_told: bool):
    _, events = opened(uncommitted)
    (queued,) = [e for e in events if isinstance(e, PromptQueued)]
    prompt = queued.prompt
    assert prompt is not None
    assert prompt.name is PromptName.IMPORTED
    assert (prompt.fields["text"], prompt.fields["cwd"]) == ("Go on", "/work/web")
    assert bool(prompt.fields["uncommitted"]) is is_told


def test_an_agent_that_does_not_know_the_session_is_told_what_was_said():
    _, events = opened()
    (queued,) = [e for e in events if isinstance(e, PromptQueued)]
    assert queued.prompt is not None
    session = session_stream(THREAD, 1)
    given = SessionInput(
        thread_id=THREAD,
        project="web",
        repository="/work/web",
        host="here",
        base="treadle/x",
        session_id=session,
        role=SessionRole.CHAT,
        agent="fake",
        first_key="goal",
        first_prompt=queued.prompt,
        agent_session="theirs",
    )
    state = SessionState()
    opening = OpenConversation(
        session_id=session, role=SessionRole.CHAT, agent="fake", agent_session="theirs"
    )
    for command in (opening, QueuePrompt(key="goal", prompt=queued.prompt), BeginTurn()):
        state = fold(state, decide(state, command, NOW).events)
    primer = primer_of(given, state)

    assert state.conversation.agent_session == "theirs"
    assert primer is not None
    assert primer.name is PromptName.COMPACTED
    assert primer.fields["handoff"] == "**You**\n\nFix it"


def test_the_transcript_marks_what_was_imported():
    _, events = opened()
    (first,) = [e for e in events if isinstance(e, ThreadOpened)]
    text = text_of(first)
    assert text is not None
    assert "continuing session theirs (4 messages imported)" in text.summary
    assert "Fix it" in text.details
