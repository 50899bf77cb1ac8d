"""How the set-up of a thread's workspaces stands."""

from enum import StrEnum

from domain.core.wire import Wire
from domain.recipes.results import SetUpResult


class SetUpStage(StrEnum):
    """Where it stands; a thread without a recipe stays at none."""

    NONE = "none"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"
    SKIPPED = "skipped"


class SetUp(Wire):
    """What a thread remembers of it; `number` counts how often it was tried.

    `recipe` names the text of the recipe in the journal: that of the thread's opening, or a newer one.
    """

    number: int = 0
    stage: SetUpStage = SetUpStage.NONE
    recipe: str = ""
    result: SetUpResult = SetUpResult()

    @property
    def holds_tasks(self) -> bool:
        """Whether no task starts yet."""
        return self.stage in {SetUpStage.RUNNING, SetUpStage.FAILED}

    @property
    def used(self) -> str:
        """The recipe that workspaces are made by, empty where a person skipped it."""
        return "" if self.stage is SetUpStage.SKIPPED else self.recipe
