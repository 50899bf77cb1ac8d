"""What files of codeInfo2, where this format comes from, ask for that can't be done here, and what can instead."""

from collections.abc import Iterator, Mapping, Set
from typing import cast

UNSUPPORTED = "unsupported"
"""The type of what this program knows and can't do: nothing else is said of such a step."""

_REVIEW = "have an agent review in an `llm` step, or run the reviewing program in a `command` step"
_FILES = "its files are of that program alone: prepare and check what is needed in `command` steps"
_TARGETS = (
    "a run works in one repository: prepare that in a `prepareReviewBase` step, "
    "and review others in runs of their own"
)
_PULL_REQUESTS = (
    "pull requests are opened by a person, for a thread with `treadle publish`; "
    "have a `human` step ask for one, or for what its reviewers said"
)
_GROUPS = "name each flow in a group of the kind `singleton`"

INSTEAD = {
    "copilotReview": _REVIEW,
    "prepareCopilotReviewGroups": _REVIEW,
    "runCopilotReview": _REVIEW,
    "initializeReviewCycle": _FILES,
    "prepareReviewTargets": _TARGETS,
    "prepareReviewSet": _FILES,
    "validateReviewTarget": _FILES,
    "validateReviewWave": _FILES,
    "crossRepositoryReviewGate": _FILES,
    "github_open_pr": _PULL_REQUESTS,
    "github_fetch_reviews": _PULL_REQUESTS,
    "github_close_pr": _PULL_REQUESTS,
}
"""What to do instead, by the type of the step."""


def unsupported_validation(raw: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """Yield what of a `validateReviewArtifacts` can't be done: its field, the type, the words."""
    if raw.get("finalizeCurrentReview"):
        words = "here a review is finished by whom it is made: have its agent set the `status`"
        yield "finalizeCurrentReview", UNSUPPORTED, words


def unsupported_wave(raw: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """Yield the first thing of a `subflowWave` that can't be done: its field, the type, the words."""
    for field, words in _wave_parts(raw):
        yield field, UNSUPPORTED, words
        return


def _wave_parts(raw: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    if "groupsFrom" in raw:
        yield "groupsFrom", f"a flow has no input here that could name its subflows; {_GROUPS}"
    if "reviewWorkspace" in raw:
        words = "subflows have no folder of their own: they work in that of the run"
        yield "reviewWorkspace", f"{words}; leave it out if that will do"
    groups, names = raw.get("groups"), set[str]()
    listed = cast("list[object]", groups) if isinstance(groups, list) else []
    for number, group in enumerate(listed):
        if isinstance(group, dict):
            known = cast("dict[str, object]", group)
            for field, words in _group_parts(known, names):
                yield f"groups[{number}].{field}", words
            names |= {name for name in (known.get("flowName"),) if isinstance(name, str)}


def _group_parts(group: Mapping[str, object], before: Set[str]) -> Iterator[tuple[str, str]]:
    if group.get("kind") == "matrix":
        yield "kind", f"a run works in one folder, not in one for each item; {_GROUPS}"
    if "bindings" in group:
        words = "subflows take no input and no other folder"
        yield "bindings", f"{words}; have the flow itself say what it works on"
    name = group.get("flowName")
    if isinstance(name, str) and name in before:
        words = f"the flow {name[:63]!r} is in this wave twice"
        yield "flowName", f"{words}; run it again in a step behind this one"
