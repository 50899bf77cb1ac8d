"""Bodies of requests about sessions and their messages."""

from typing import Annotated

from pydantic import AfterValidator, Field

from api.core.bodies import ENCODED_LIMIT, CommandBody, Name, Selections, Worded, clean_text
from domain.agents.offers import AgentOptions
from domain.conversations.questions.question import Remember
from domain.core.attachments import MAX_ATTACHMENTS, Attachment
from domain.core.command import MAX_NAME


class MessageBody(CommandBody):
    """A message; without a session the newest chat gets it."""

    text: Worded
    session_id: Name | None = None
    attachments: Annotated[list[Attachment], Field(max_length=MAX_ATTACHMENTS)] = []
    """Responses of `POST /v1/attachments`."""


class WithdrawalBody(CommandBody):
    """The queued message to withdraw."""

    message_id: Annotated[str, Field(min_length=1, max_length=600), AfterValidator(clean_text)]


class AttachmentBody(CommandBody):
    """A file to upload; its type is detected from its content."""

    name: Annotated[Name, Field(pattern=r"^[^/\\]+$")]
    content: Annotated[str, Field(max_length=ENCODED_LIMIT)]


class AnswerBody(CommandBody):
    """An answer: `option_id` for a permission, or `selections` for a decision.

    `remember` applies the answer to a permission to the session or the whole thread. A `content_hash`
    that does not match the question is refused with 409.
    """

    option_id: str | None = Field(default=None, max_length=MAX_NAME)
    selections: Selections | None = None
    remember: Annotated[Remember, Field(strict=False)] = Remember.ONCE
    content_hash: str = Field(default="", max_length=64)


class SwitchBody(CommandBody):
    """Another agent, or another model or options of the same one."""

    agent: Name
    model: Name | None = None
    options: AgentOptions = {}


class SessionBody(CommandBody):
    """A session to open; the default agent is the thread's.

    Without its own worktree, it shares one with the thread's other chats; they take turns.
    """

    agent: Name | None = None
    model: Name | None = None
    options: AgentOptions = {}
    has_own_worktree: bool = True
