"""Stacked pull requests: one for each task, each on the branch of the one merged before it (ADR 0082).

Pure rules. A stack is one line in the order in which its tasks came into the thread's branch. What is to be done
next follows from where its layers are, so that it is the same after a crash at any step.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from domain.core.wire import Wire

MAX_LAYERS = 30
"""A plan of more tasks is published as one pull request."""


MAX_ABOUT = 2_000
"""Characters of what a pull request says of its task."""


class StackTask(Wire):
    """A task as it came into the thread's branch; `about` is what its pull request says of it."""

    task_id: str
    title: str
    commit: str
    about: str = ""


class Layer(Wire):
    """One task of a stack: its branch, and where its pull request stands.

    `task_commit` is the one that brought the task into the thread's branch. `source` is the commit of the thread's branch that it stands for, `wanted` the one that it is to stand for.
    `commit` is where its branch is to be, on top of `begins_at`, which is of the branch `onto`; it is one of `made`,
    all that were ever made for it. `pushed`, `against` and `told` say what is on the forge: the commit, the
    target and a digest of the text. `noted` is what its watch knows. What keeps it from going on is its `trouble`.
    """

    task_id: str
    title: str = ""
    about: str = ""
    task_commit: str = ""
    branch: str
    source: str
    wanted: str
    commit: str
    begins_at: str = ""
    onto: str = ""
    made: tuple[str, ...] = ()
    pushed: str = ""
    against: str = ""
    told: str = ""
    noted: str = ""
    number: int = 0
    url: str = ""
    is_merged: bool = False
    is_closed: bool = False
    is_removed: bool = False
    trouble: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it is still to be merged."""
        return not self.is_merged and not self.is_closed

    @property
    def news(self) -> str:
        """What its watch should know."""
        return f"{self.pushed} {self.trouble}".strip()

    @property
    def state(self) -> str:
        """Where it stands, in a word."""
        if self.is_merged:
            return "merged"
        if self.is_closed:
            return "closed"
        if self.trouble:
            return "stopped"
        return "open" if self.number else "waiting"


class StepKind(StrEnum):
    """What is done with a layer."""

    REPLAY = "replay"
    PUBLISH = "publish"
    NOTE = "note"
    REMOVE = "remove"


class StackStep(Wire):
    """The next thing to do with one layer.

    REPLAY puts the commits `since`..`commit` on top of `onto_commit`, or on the newest commit of the base where that
    is empty; `target` is the branch that they are on then. PUBLISH pushes `commit`, and has the pull request against
    `target`. NOTE tells its watch, REMOVE deletes its branch.
    """

    kind: StepKind
    task_id: str
    target: str = ""
    since: str = ""
    commit: str = ""
    onto_commit: str = ""


def below(layer: Layer, stack: Sequence[Layer]) -> Layer | None:
    """Return the nearest layer below that is not merged, None where it stands on the base."""
    at = next(place for place, each in enumerate(stack) if each.task_id == layer.task_id)
    return next((each for each in reversed(stack[:at]) if not each.is_merged), None)


def target_of(layer: Layer, stack: Sequence[Layer], base: str) -> str:
    """Return the branch that a layer's pull request is against."""
    under = below(layer, stack)
    return base if under is None else under.branch


def facing(stack: Sequence[Layer]) -> Layer | None:
    """Return the layer that people deal with next: the lowest that is open, else the one on top."""
    opened = [layer for layer in stack if layer.number]
    return next((layer for layer in opened if layer.is_open), opened[-1] if opened else None)


def next_step(
    stack: Sequence[Layer],
    base: str,
    texts: Mapping[str, str],
    *,
    deletes: bool,
) -> StackStep | None:
    """Return what is to be done next; `texts` are digests of what pull requests are to say, by task.

    From the lowest up; a layer in trouble also keeps those above it from being moved.
    """
    for layer in stack:
        if not layer.is_open:
            continue
        if layer.trouble:
            break
        if (step := _moved(layer, stack, base)) is not None:
            return step
    looks: tuple[Callable[[Layer], StackStep | None], ...] = (
        lambda layer: _retold(layer, stack, base, texts),
        _noted,
        lambda layer: _removed(layer, stack) if deletes else None,
    )
    return next((step for look in looks for layer in stack if (step := look(layer))), None)


def _moved(layer: Layer, stack: Sequence[Layer], base: str) -> StackStep | None:
    """Return what brings a layer's commits to where they belong; None where they are."""
    under, target = below(layer, stack), target_of(layer, stack, base)
    task = layer.task_id
    is_behind = under is not None and under.commit != layer.begins_at
    if layer.onto != target or is_behind:
        return StackStep(
            kind=StepKind.REPLAY,
            task_id=task,
            target=target,
            since=layer.begins_at,
            commit=layer.commit,
            onto_commit=under.commit if under else "",
        )
    if layer.wanted != layer.source:
        return StackStep(
            kind=StepKind.REPLAY,
            task_id=task,
            target=target,
            since=layer.source,
            commit=layer.wanted,
            onto_commit=layer.commit,
        )
    if not layer.number or (layer.pushed, layer.against) != (layer.commit, target):
        return StackStep(kind=StepKind.PUBLISH, task_id=task, target=target, commit=layer.commit)
    return None


def _retold(
    layer: Layer, stack: Sequence[Layer], base: str, texts: Mapping[str, str]
) -> StackStep | None:
    text = texts.get(layer.task_id, layer.told)
    if not layer.is_open or layer.trouble or not layer.number or layer.told == text:
        return None
    target = target_of(layer, stack, base)
    return StackStep(
        kind=StepKind.PUBLISH, task_id=layer.task_id, target=target, commit=layer.commit
    )


def _noted(layer: Layer) -> StackStep | None:
    if not layer.is_open or not layer.number or layer.noted == layer.news:
        return None
    return StackStep(kind=StepKind.NOTE, task_id=layer.task_id, commit=layer.pushed)


def _removed(layer: Layer, stack: Sequence[Layer]) -> StackStep | None:
    """Return the removal of a merged layer's branch, once no pull request is against it any more."""
    is_needed = any(each.is_open and each.against == layer.branch for each in stack)
    if not layer.is_merged or layer.is_removed or is_needed:
        return None
    return StackStep(kind=StepKind.REMOVE, task_id=layer.task_id, commit=layer.pushed)


def replayed(layer: Layer, step: StackStep, commit: str, begins_at: str) -> Layer:
    """Return a layer whose commits were put on top of others."""
    is_more = step.commit != layer.commit
    return layer.model_copy(
        update={
            "commit": commit,
            "begins_at": layer.begins_at if is_more else begins_at,
            "onto": step.target,
            "source": layer.wanted if is_more else layer.source,
            "made": tuple(dict.fromkeys((*layer.made, commit))),
        }
    )


def ended(
    stack: Sequence[Layer], number: int, merge_commit: str, head: str, *, is_merged: bool
) -> tuple[Layer, ...]:
    """Return a stack of which one pull request has ended, merged or not.

    One that was merged into the branch below it, which a forge lets people do, moves that one.
    """
    found = next((layer for layer in stack if layer.number == number), None)
    if found is None:
        return tuple(stack)
    change: dict[str, object] = {"is_merged": is_merged, "is_closed": not is_merged, "trouble": ""}
    if head:
        change["pushed"] = head
    after = {found.task_id: found.model_copy(update=change)}
    under = below(found, stack)
    if is_merged and under is not None and found.against == under.branch and merge_commit:
        made = {"commit": merge_commit, "pushed": merge_commit}
        after[under.task_id] = under.model_copy(
            update={**made, "made": (*under.made, merge_commit)}
        )
    return tuple(after.get(layer.task_id, layer) for layer in stack)


def begun(
    stack: Sequence[Layer], tasks: Sequence[StackTask], head: str, branch: str, base: str
) -> tuple[Layer, ...]:
    """Return a stack with a layer for each task that has none yet, up to `head` of the thread's branch.

    The tasks are in the order of the branch. What is on it after the last of them belongs to the layer on top. A pull
    request that was closed is opened again, and what was in trouble is tried again.
    """
    known = {layer.task_commit for layer in stack}
    layers = [_again(layer) for layer in stack]
    for task in tasks:
        if task.commit not in known:
            known.add(task.commit)
            layers.append(_new(task, layers, branch, base))
    if not layers or layers[-1].wanted == head:
        return tuple(layers)
    top = layers[-1]
    if top.is_merged:
        more = StackTask(task_id="more", title="What came after", commit=head)
        layers.append(_new(more, layers, branch, base))
    elif top.number or top.pushed or top.onto == "":
        layers[-1] = top.model_copy(update={"wanted": head})
    else:
        moved = {"source": head, "wanted": head, "commit": head, "made": (head,)}
        layers[-1] = top.model_copy(update=moved)
    return tuple(layers)


def _again(layer: Layer) -> Layer:
    if layer.is_closed:
        gone = {"is_closed": False, "number": 0, "url": "", "told": "", "against": "", "noted": ""}
        layer = layer.model_copy(update=gone)
    return layer.model_copy(update={"trouble": ""}) if layer.trouble else layer


def _new(task: StackTask, layers: Sequence[Layer], branch: str, base: str) -> Layer:
    before = layers[-1] if layers else None
    under = next((layer for layer in reversed(layers) if not layer.is_merged), None)
    number = len(layers) + 1
    is_known = any(each.task_id == task.task_id for each in layers)
    onto = under.branch if under else base
    return Layer(
        task_id=f"{task.task_id}-{number}" if is_known else task.task_id,
        title=task.title,
        about=task.about,
        task_commit=task.commit,
        branch=f"{branch}-{number}-{task.task_id}"[:200],
        source=task.commit,
        wanted=task.commit,
        commit=task.commit,
        begins_at=before.wanted if before else "",
        onto="" if before and under is None else onto,
        made=(task.commit,),
    )
