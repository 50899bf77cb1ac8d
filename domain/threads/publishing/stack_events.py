"""Events of a thread's stack of pull requests."""

from typing import Literal

from domain.core.event import EventBody
from domain.forges.stacks import Layer
from domain.threads.publishing.publication import PushedBranch


class StackPlanned(EventBody):
    """Each of these tasks is a pull request, on the one before it; `pushed` says which commit that is of, and where to."""

    kind: Literal["stack_planned"] = "stack_planned"
    pushed: PushedBranch
    base: str
    layers: tuple[Layer, ...]


class LayerReplayed(EventBody):
    """The commits of a layer were put on top of others, or already were there."""

    kind: Literal["layer_replayed"] = "layer_replayed"
    layer: Layer


class LayerPublished(EventBody):
    """A layer's commit is on the remote, and its pull request against `against`; `told` is a digest of its text."""

    kind: Literal["layer_published"] = "layer_published"
    task_id: str
    commit: str
    against: str
    told: str
    number: int
    url: str = ""


class LayerStopped(EventBody):
    """A layer cannot go on without a person, nor what is above it."""

    kind: Literal["layer_stopped"] = "layer_stopped"
    task_id: str
    reason: str


class LayerNoted(EventBody):
    """The watch of a layer's pull request knows where it stands."""

    kind: Literal["layer_noted"] = "layer_noted"
    task_id: str
    news: str


class LayerRemoved(EventBody):
    """The branch of a merged layer was deleted on the remote; or why it was not."""

    kind: Literal["layer_removed"] = "layer_removed"
    task_id: str
    branch: str
    failure: str = ""
