"""Query parameters of lists of threads and flow runs."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from api.core.dependencies import MAX_POSITION

LineOfText = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]

Search = Annotated[LineOfText | None, Query(description="Words in the id, title or goal")]
Project = Annotated[
    LineOfText | None, Query(description="A repository's path, or the last part of it")
]
OfFlow = Annotated[LineOfText | None, Query(description="Only runs of this flow")]
Archived = Annotated[bool, Query(description="List archived ones instead")]
NextPage = Annotated[int, Query(ge=0, le=MAX_POSITION, description="`next` of the previous page")]
