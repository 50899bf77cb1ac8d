"""What requests about tasks bring."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody
from domain.tasks.running_commands import ConflictChoice


class ConflictBody(CommandBody):
    """How a conflict is resolved; `content_hash` is that of the conflict as it was shown."""

    how: Annotated[ConflictChoice, Field(strict=False)]
    content_hash: str = Field(default="", max_length=64)
