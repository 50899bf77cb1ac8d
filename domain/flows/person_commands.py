"""What people do with a run of a flow."""

from pydantic import Field

from domain.core.command import MAX_NAME, Coded, Stopping
from domain.core.ids import RequestId

MAX_ANSWER_TEXT = 4_000


class StopFlow(Stopping):
    """Stop a run where it is; it can be resumed there."""

    door = "stop_flow"


class ResumeFlow(Coded):
    """Go on with a run that stands still: where it does, or at the step of that index."""

    door = "resume_flow"

    step_index: int | None = Field(default=None, ge=0)
    has_definition_changed: bool = False
    """Whether the flow's file says something else by now; the run goes on as it began."""

    @property
    def content(self) -> str:
        """The step, where one is named."""
        return "" if self.step_index is None else str(self.step_index)


class AnswerFlow(Coded):
    """Answer what a step asks: by one of its options, or by a text where it has none."""

    door = "answer_flow"

    request_id: RequestId = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)
    option: str = Field(default="", max_length=MAX_NAME)
    text: str = Field(default="", max_length=MAX_ANSWER_TEXT)

    @property
    def request(self) -> str:
        """The request's id."""
        return self.request_id

    @property
    def choice(self) -> str:
        """The option; the code does not bind a text."""
        return self.option or self.door

    @property
    def content(self) -> str:
        """The hash of what was shown."""
        return self.content_hash
