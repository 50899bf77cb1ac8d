"""Sessions that a person began with an agent elsewhere: found by ACP's `session/list`, and gone on with as threads."""

from typing import Protocol

from pydantic import Field

from domain.agents.agents import TurnInput
from domain.agents.profiles import AgentProfile
from domain.core.printable import visible
from domain.core.wire import Wire

MAX_LISTED = 200
MAX_SESSION_ID = 512
MAX_TITLE = 300
MAX_TIME = 40
MAX_SAID = 12_000
"""Characters of what was said that an agent is told which does not know it."""

_MAX_READ = 16 * MAX_TITLE


class PastSession(Wire):
    """One session of an agent; `updated_at` is as the agent says it."""

    session_id: str = Field(min_length=1, max_length=MAX_SESSION_ID)
    cwd: str = Field(default="", max_length=4_096)
    title: str = ""
    updated_at: str = ""

    def shortened(self) -> "PastSession":
        """Return it with a title of one line that hides nothing, within its limit."""
        title = " ".join(visible(self.title[:_MAX_READ]).split())[:MAX_TITLE]
        at = visible(self.updated_at[:MAX_TIME])[:MAX_TIME]
        return self.model_copy(update={"title": title, "updated_at": at})


class ImportedSession(Wire):
    """The session that a thread goes on with.

    `history_ref` is what was said in it, as a text of the journal, of so many `messages`; both are missing where its agent
    could not tell it, which `note` explains.
    """

    agent_session: str = Field(min_length=1, max_length=MAX_SESSION_ID)
    cwd: str = Field(default="", max_length=4_096)
    title: str = Field(default="", max_length=MAX_TITLE)
    history_ref: str = ""
    messages: int = 0
    said: str = ""
    """The end of what was said, for an agent that does not know it."""
    note: str = ""


class Spoken(Wire):
    """What one side said, until the other spoke."""

    is_person: bool
    text: str


class Recalled(Wire):
    """A session and what was said in it, as its agent tells it when it loads it; or in `note` why it does not."""

    session: PastSession
    talk: tuple[Spoken, ...] = ()
    note: str = ""


def text_of(talk: tuple[Spoken, ...]) -> str:
    """Return a talk as Markdown, with who spoke."""
    return "\n\n".join(
        f"**{'You' if each.is_person else 'Agent'}**\n\n{each.text.strip()}" for each in talk
    )


def end_of(text: str) -> str:
    """Return the end of a talk, within what an agent is told."""
    return text if len(text) <= MAX_SAID else f"…{text[-MAX_SAID + 1 :]}"


class PastSessions(Protocol):
    """The sessions of agents on the worker's host."""

    async def listed(
        self, profile: AgentProfile, turn: TurnInput, repository: str
    ) -> tuple[PastSession, ...]:
        """Return the sessions that an agent has of a repository, as it orders them.

        Raises:
            AgentError: It does not start, or does not offer a list.
        """
        ...

    async def recalled(
        self, profile: AgentProfile, turn: TurnInput, repository: str, session_id: str
    ) -> Recalled:
        """Return a session of a repository, and what was said in it; nothing is changed.

        Raises:
            AgentError: The agent does not start, or does not offer a list.
            NotFoundError: It lists no such session of the repository.
        """
        ...
