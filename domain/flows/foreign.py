"""Steps of codeInfo2, where this format comes from, that can't be done here, and what can instead."""

_REVIEW = "have an agent review in an `llm` step, or run the reviewing program in a `command` step"
_FILES = "its files are of that program alone: prepare and check what is needed in `command` steps"
_GITHUB = "run `gh` in a `command` step"
_FLOWS = "name the flows themselves in a `subflow` step"

INSTEAD = {
    "subflowWave": _FLOWS,
    "codexReview": _REVIEW,
    "copilotReview": _REVIEW,
    "runCopilotReview": _REVIEW,
    "initializeReviewCycle": _FILES,
    "prepareReviewBase": _FILES,
    "prepareReviewTargets": _FILES,
    "prepareReviewSet": _FILES,
    "validateReviewTarget": _FILES,
    "validateReviewWave": _FILES,
    "validateReviewArtifacts": _FILES,
    "crossRepositoryReviewGate": _FILES,
    "github_open_pr": _GITHUB,
    "github_fetch_reviews": _GITHUB,
    "github_close_pr": _GITHUB,
}
"""What to do instead, by the type of the step."""
