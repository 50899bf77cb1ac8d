"""The steps of codeInfo2 for reviews and for waves of subflows, as its files spell them."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from domain.flows.values import FlowName, Key, LabelledStep, Name, Shape, all_different

_BasePolicy = Literal["branched_from_or_default_if_merged"]


class PrepareReviewBase(LabelledStep):
    """Find the commit that a branch is compared with, and keep it for the reviews that follow."""

    type: Literal["prepareReviewBase"]
    output_key: Key
    base_policy: _BasePolicy = "branched_from_or_default_if_merged"
    initialize_review_pointers: bool = False


class CodexReview(LabelledStep):
    """Have an agent review the branch in a new conversation.

    `modelSource`, `model` and `reasoningEffort` are passed over: whoever starts the run chooses these.
    """

    type: Literal["codexReview"]
    output_key: Key
    base_policy: _BasePolicy = "branched_from_or_default_if_merged"
    model_source: Literal["flow_request_or_step", "flow_request_or_step_or_agent"] | None = None
    agent_type: Name = ""
    model: Name = ""
    reasoning_effort: Literal["minimal", "low", "medium", "high", "xhigh"] | None = None


class ValidateReviewArtifacts(LabelledStep):
    """Check that the reviews of the prepared base are there, each by the key of its pointer."""

    type: Literal["validateReviewArtifacts"]
    pointer_keys: Annotated[
        list[Key], Field(min_length=1, max_length=20), AfterValidator(all_different)
    ]
    ensure_canonical_fallback: bool = False


class WaveGroup(Shape):
    """One flow of a wave."""

    kind: Literal["singleton"]
    id: Name
    flow_name: FlowName


class SubflowWave(LabelledStep):
    """Run other flows side by side; with `failureMode` the run goes on where one of them fails."""

    type: Literal["subflowWave"]
    groups: Annotated[list[WaveGroup], Field(min_length=1, max_length=20)]
    failure_mode: Literal["best_effort"] | None = None
