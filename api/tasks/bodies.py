"""Bodies of requests about tasks."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody
from domain.tasks.running_commands import ConflictChoice


class ConflictBody(CommandBody):
    """How to resolve a conflict; `content_hash` is that of the conflict that was reviewed."""

    how: Annotated[ConflictChoice, Field(strict=False)]
    content_hash: str = Field(default="", max_length=64)
