"""Texts of setting workspaces up, and of checks of recipes."""

from domain.core.event_text import EventText, error, info, success, warning
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes
from domain.recipes.checks import RecipeCheckKind
from domain.recipes.events import RecipeCheckEnded, RecipeCheckStarted
from domain.threads.setting_up.events import SetUpEnded, SetUpSkipped, SetUpStarted

_MILLISECONDS = 1000


@describes(SetUpStarted)
def _describe_start(event: SetUpStarted) -> EventText:
    again = " again" if event.number > 1 else ""
    return info(f"Setting workspaces up{again}{by(event.by)}")


@describes(SetUpEnded)
def _describe_end(event: SetUpEnded) -> EventText:
    result = event.result
    if result.failure:
        return error(f"Set-up failed: {result.failure}", result.output)
    if not result.is_made:
        return success("Workspaces are set up as before")
    seconds = result.duration_ms / _MILLISECONDS
    return success(f"Workspaces are set up ({seconds:.0f} s, {result.size_bytes >> 20} MiB)")


describe(
    SetUpSkipped,
    lambda event: warning(f"Set-up skipped{by(event.by)}: workspaces have what git gives them"),
)

_CHECKS = {
    RecipeCheckKind.PROPOSE: "Looking for a workspace recipe",
    RecipeCheckKind.TRY: "Trying a workspace recipe",
}
describe(RecipeCheckStarted, lambda event: f"{_CHECKS[event.check]}{by(event.by)}")


@describes(RecipeCheckEnded)
def _describe_check_end(event: RecipeCheckEnded) -> EventText:
    result = event.result
    failure = result.failure or (result.set_up.failure if result.set_up else "")
    if failure:
        return error(failure, result.set_up.output if result.set_up else "")
    if result.set_up is None:
        return success("A workspace recipe is proposed")
    return success("The workspace recipe works")
