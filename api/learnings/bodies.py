"""Bodies of requests about learnings, and what they answer."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from api.core.bodies import CommandBody, Folder, Name
from domain.core.ids import ThreadId
from domain.learnings.book import KeptLearning, Standing


class LearningBody(CommandBody):
    """The repository that a learning is of, as the list names it."""

    repository: Folder


class KeepLearningBody(LearningBody):
    """Whether to keep a learning for good, or let it expire again."""

    is_kept: bool = True


class PromotionBody(LearningBody):
    """The learnings to promote, and who writes the change: by default the engine's default agent."""

    learning_ids: Annotated[list[Name], Field(min_length=1, max_length=20)]
    agent: Name | None = None
    model: Name | None = None


class LearningView(KeptLearning):
    """A learning of a repository, and what becomes of it; `gone` are threads of its origin that were removed."""

    repository: str
    standing: Standing
    expires: datetime | None = None
    gone: tuple[ThreadId, ...] = ()


class LearningPage(BaseModel):
    """Learnings, those touched last first. `lifetime_days` is how long one lives that nobody uses."""

    learnings: list[LearningView]
    lifetime_days: float


class StartedPromotion(BaseModel):
    """The thread that proposes the change of AGENTS.md."""

    thread_id: ThreadId
    message: str
