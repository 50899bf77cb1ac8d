"""Bodies of requests about tokens."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody, Name
from domain.people.directory import PERSON
from domain.people.roles import Role

MAX_DAYS = 366


class TokenBody(CommandBody):
    """A token to create.

    It gives at most the role `scope`, and only in `projects` where some are named. Without a `person`
    it is yours; an admin creates tokens for others.
    """

    name: Name
    scope: Annotated[Role, Field(strict=False)] = Role.AUTHOR
    projects: Annotated[list[Name], Field(max_length=100)] = []
    days: Annotated[int, Field(ge=1, le=MAX_DAYS)] = 90
    person: Annotated[str, Field(pattern=PERSON)] | None = None
