"""Bodies of requests about money."""

from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from api.core.bodies import CommandBody
from domain.agents.limits.money import Usd
from domain.core.command import MAX_NAME
from domain.core.ids import RequestId

ContentHash = Annotated[str, Field(max_length=MAX_NAME, description="Hash of what was shown")]


class StopBody(CommandBody):
    """What is answered at a limit, bound to what was shown."""

    request_id: RequestId = Field(max_length=MAX_NAME)
    content_hash: ContentHash


class RaiseBody(StopBody):
    """The new limit."""

    usd: Usd


class MonthlyBody(CommandBody):
    """What work may cost in a calendar month, in US dollars; null is no limit.

    One that is left out is removed, but not both. With `is_reset` the limits are those of the settings again.
    """

    month_usd: Usd | None = None
    project_usd: Usd | None = None
    is_reset: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.is_reset and not self.model_fields_set & {"month_usd", "project_usd"}:
            raise PydanticCustomError(
                "limits", "give month_usd, project_usd (null is no limit), or is_reset"
            )
        return self
