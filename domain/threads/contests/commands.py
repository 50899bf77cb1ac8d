"""What people ask of a contest."""

import json
from typing import Annotated

from pydantic import Field

from domain.core.approval_commands import Approve
from domain.core.command import MAX_NAME, Coded
from domain.core.ids import RequestId, TaskId
from domain.core.wire import Wire
from domain.plans.best_of import MAX_IN_ALL

MAX_FILES = 500
MAX_PATH = 1_000
MAX_FILES_BYTES = 64 << 10
"""Of the paths of one composition: histories and carried states have them."""


class Take(Approve):
    """Take the work of one candidate; bound to what was shown of all of them."""

    door = "take"

    candidate: TaskId = Field(max_length=MAX_NAME)

    @property
    def choice(self) -> str:
        """Whose work."""
        return f"{self.door}/{self.candidate}"


class Part(Wire):
    """Files of a candidate."""

    candidate: TaskId = Field(max_length=MAX_NAME)
    files: tuple[Annotated[str, Field(min_length=1, max_length=MAX_PATH)], ...] = Field(
        min_length=1, max_length=MAX_FILES
    )


class PutTogether(Coded):
    """Make one more candidate: the work of one, with files of others in the place of its own."""

    door = "put_together"

    task_id: TaskId = Field(max_length=MAX_NAME)
    request_id: RequestId = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)
    base: TaskId = Field(max_length=MAX_NAME)
    parts: tuple[Part, ...] = Field(min_length=1, max_length=MAX_IN_ALL)

    @property
    def request(self) -> str:
        """The request under which the candidates were shown."""
        return self.request_id

    @property
    def choice(self) -> str:
        """What is put together."""
        parts = [(part.candidate, *part.files) for part in self.parts]
        return f"{self.door}/{json.dumps((self.base, *parts))}"

    @property
    def content(self) -> str:
        """The hash of all candidates as they were shown."""
        return self.content_hash


class AddCandidate(Coded):
    """Have another agent do a task as well."""

    door = "add_candidate"

    task_id: TaskId = Field(max_length=MAX_NAME)
    agent: str = Field(max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The task, and who is to do it."""
        return f"{self.task_id}@{self.agent}:{self.model or ''}"
