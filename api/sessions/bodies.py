"""What requests about sessions and their messages bring."""

from typing import Annotated

from pydantic import AfterValidator, Field

from api.core.bodies import ENCODED_LIMIT, CommandBody, Name, Selections, Worded, clean_text
from domain.agents.offers import AgentOptions
from domain.conversations.questions.question import Remember
from domain.core.attachments import MAX_ATTACHMENTS, Attachment
from domain.core.command import MAX_NAME


class MessageBody(CommandBody):
    """A person's message; without a session the latest chat gets it."""

    text: Worded
    session_id: Name | None = None
    attachments: Annotated[list[Attachment], Field(max_length=MAX_ATTACHMENTS)] = []
    """What `POST /v1/attachments` answered."""


class WithdrawalBody(CommandBody):
    """Which waiting message its writer wants back."""

    message_id: Annotated[str, Field(min_length=1, max_length=600), AfterValidator(clean_text)]


class AttachmentBody(CommandBody):
    """A file for messages; its type is told from its content."""

    name: Annotated[Name, Field(pattern=r"^[^/\\]+$")]
    content: Annotated[str, Field(max_length=ENCODED_LIMIT)]


class AnswerBody(CommandBody):
    """An answer to an agent's question: `option_id` of a permission, or `selections` of a decision.

    `remember` has a permission's answer count for the session, or for the whole thread. `content_hash`
    is that of the question as it was shown: another one is refused with 409.
    """

    option_id: str | None = Field(default=None, max_length=MAX_NAME)
    selections: Selections | None = None
    remember: Annotated[Remember, Field(strict=False)] = Remember.ONCE
    content_hash: str = Field(default="", max_length=64)


class SwitchBody(CommandBody):
    """Another agent for a session or a task, or another model or options of the same."""

    agent: Name
    model: Name | None = None
    options: AgentOptions = {}


class SessionBody(CommandBody):
    """A chat session to open; without an agent it is the thread's.

    Without a worktree of its own it works in the directory that the thread's chats share, in turn.
    """

    agent: Name | None = None
    model: Name | None = None
    options: AgentOptions = {}
    has_own_worktree: bool = True
