"""RecipeCheckWorkflow: one check of a repository's recipe, carried out where its files are."""

from temporalio import workflow

from activities.recipes import RecipeChecks
from domain.recipes.checks import RecipeCheckInput, RecipeCheckResult
from domain.recipes.events import RecipeCheckEnded
from workflows.checks import carry_out


@workflow.defn(name="RecipeCheck")
class RecipeCheckWorkflow:
    """Short: one activity, and its result. Whoever started it reads the rest in the journal."""

    @workflow.run
    async def run(self, check: RecipeCheckInput) -> RecipeCheckResult:
        """Carry out the check; that nobody could is a result, too."""

        def failed(failure: str) -> tuple[RecipeCheckResult, RecipeCheckEnded]:
            result = RecipeCheckResult(kind=check.kind, failure=failure, at=workflow.now())
            return result, RecipeCheckEnded(repository=check.repository, result=result)

        return await carry_out(RecipeChecks.check_recipe, check, failed)
