"""What the activity of a verification step takes and gives."""

from domain.core.effects import Effect
from domain.core.ids import EventId, StreamId
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from domain.verification.checkouts import Recipe
from domain.verification.steps import StepResult, VerificationStep


class StepBeside(Wire):
    """A step that runs at the same time as another; `key` is the id of its event."""

    key: EventId
    step: VerificationStep


class StepCall(Effect):
    """Run one verification step; `key`, the id of its event, makes a finished one findable.

    With a `commit`, given for the first step of an attempt, the workspace holds exactly its files
    when the step starts: verified is what is shown and merged, and not what came after it. A step
    that leaves other files of the commit `subject` behind, or during which they changed, has failed.

    With a `recipe` it runs on a clean checkout of `subject`, which goes with the attempt's last step.

    The steps `beside` it run at the same time, and their results are journaled; a later call for one of
    them finds its own and runs nothing again.
    """

    key: EventId
    stream: StreamId
    attempt: int
    step: VerificationStep
    workspace: WorkspaceSpec
    commit: str | None = None
    subject: str | None = None
    ports: dict[str, int] = {}
    recipe: Recipe | None = None
    is_last: bool = False
    beside: tuple[StepBeside, ...] = ()

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"verify: {self.step.name_in_clear}, attempt {self.attempt}"


def calls_of(call: StepCall) -> tuple[StepCall, ...]:
    """Return the call of a step and one for each step beside it, which have none beside them."""
    beside = (
        call.model_copy(update={"key": other.key, "step": other.step, "beside": ()})
        for other in call.beside
    )
    return (call, *beside)


class StepAnswer(Wire):
    """The result of one step."""

    result: StepResult
