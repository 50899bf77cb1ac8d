"""Bodies of requests about tasks."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody, Name
from domain.core.comments import MAX_COMMENT_PATH, MAX_LINE
from domain.core.suggestions import MAX_SUGGESTION, MAX_SUGGESTIONS
from domain.core.wire import Body
from domain.plans.best_of import MAX_IN_ALL
from domain.tasks.running_commands import ConflictChoice
from domain.threads.contests.commands import MAX_FILES, MAX_PATH


class ConflictBody(CommandBody):
    """How to resolve a conflict; `content_hash` is that of the conflict that was reviewed."""

    how: Annotated[ConflictChoice, Field(strict=False)]
    content_hash: str = Field(default="", max_length=64)


class SuggestionBody(Body):
    """New lines in the place of those from `first` to `last`; without a `text` these are taken out."""

    path: str = Field(min_length=1, max_length=MAX_COMMENT_PATH)
    first: int = Field(ge=1, le=MAX_LINE)
    last: int = Field(ge=1, le=MAX_LINE)
    text: Annotated[str, Field(max_length=MAX_SUGGESTION)] | None = None


class SuggestionsBody(CommandBody):
    """Suggestions to apply at a gate, which was reviewed with this hash."""

    request_id: Name
    content_hash: Name
    suggestions: Annotated[list[SuggestionBody], Field(min_length=1, max_length=MAX_SUGGESTIONS)]


class TakeBody(CommandBody):
    """The request that is answered, and the hash of all candidates as they were shown."""

    request_id: Name
    content_hash: str = Field(max_length=64)


class CandidateBody(CommandBody):
    """One more agent, and its model."""

    agent: Name
    model: Name | None = None


class PartBody(Body):
    """Files of a candidate, as paths in the repository."""

    candidate: Name
    files: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=MAX_PATH)]],
        Field(min_length=1, max_length=MAX_FILES),
    ]


class PartsBody(CommandBody):
    """The candidate whose work it begins with, the files of others, and the request under which they were shown."""

    request_id: Name
    content_hash: str = Field(max_length=64)
    base: Name
    parts: Annotated[list[PartBody], Field(min_length=1, max_length=MAX_IN_ALL)]
