"""Stacked pull requests: one for each task, on top of the one that it depends on (ADR 0082).

Pure rules. A forge merges into one branch, so a task that depends on several stands on one of them: the whole plan
is one line in an order of its dependencies, or several lines where parts of it have nothing to do with each other.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from domain.core.wire import Wire


class Layer(Wire):
    """One task of a stack: its branch, and where its pull request stands.

    `pushed` is the commit that we pushed last, `number` its pull request; 0 where none is open yet. `below` is the
    task that it stands on, empty for the lowest, which is against the base. `begins_at` is the commit that its own
    ones are on top of, as they were replayed last; empty where that is what was pushed of the task below.
    """

    task_id: str
    branch: str
    below: str = ""
    pushed: str = ""
    begins_at: str = ""
    number: int = 0
    is_merged: bool = False


class MoveKind(StrEnum):
    """What is to be done with a layer."""

    RETARGET = "retarget"
    REFUSE = "refuse"


class StackMove(Wire):
    """One step: have a pull request against another branch and replay its commits, or ask a person.

    `onto` is the branch that it is against then; commits since `since` are replayed onto it, and pushed only if
    the remote is at `lease`, which is what we pushed last.
    """

    kind: MoveKind
    task_id: str
    branch: str
    onto: str
    since: str = ""
    lease: str = ""
    reason: str = ""


def stack_order(needs: Mapping[str, Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a plan, the lowest task of each first; tasks are in the order that `needs` has them.

    Tasks that depend on each other, also through others, are in one line.

    Raises:
        ValueError: They depend on each other in a circle.
    """
    known = {
        task: [each for each in each_needs if each in needs] for task, each_needs in needs.items()
    }
    lines: dict[str, list[str]] = {}
    for task in _sorted(known):
        joined: list[str] = []
        for below in dict.fromkeys(id(lines[each]) for each in known[task]):
            line = next(each for each in lines.values() if id(each) == below)
            joined += line
        joined.append(task)
        lines |= dict.fromkeys(joined, joined)
    every = {id(line): tuple(line) for line in lines.values()}
    return tuple(every.values())


def _sorted(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the tasks so that each comes after those that it needs."""
    done: dict[str, None] = {}
    while len(done) < len(needs):
        ready = next(
            (
                task
                for task in needs
                if task not in done and all(each in done for each in needs[task])
            ),
            None,
        )
        if ready is None:
            raise ValueError("the tasks depend on each other in a circle")
        done[ready] = None
    return list(done)


def stack_of(needs: Mapping[str, Iterable[str]], branches: Mapping[str, str]) -> tuple[Layer, ...]:
    """Return the layers of a plan, each after those below it."""
    return tuple(
        Layer(task_id=task, branch=branches[task], below=line[at - 1] if at else "")
        for line in stack_order(needs)
        for at, task in enumerate(line)
    )


def target_of(layer: Layer, layers: Mapping[str, Layer], base: str) -> str:
    """Return the branch that a layer's pull request is against: the nearest below that is not merged, or the base."""
    below = layers.get(layer.below)
    while below is not None and below.is_merged:
        below = layers.get(below.below)
    return base if below is None else below.branch


def moves_after(
    merged: str, stack: Sequence[Layer], base: str, found: Mapping[str, str]
) -> tuple[StackMove, ...]:
    """Return what follows when a layer's pull request was merged; `found` has where branches are on the remote.

    The open layers above are replayed from the lowest up. From the first that somebody else has pushed to, nothing
    is moved: a person decides.
    """
    layers = {
        layer.task_id: layer.model_copy(update={"is_merged": True})
        if layer.task_id == merged
        else layer
        for layer in stack
    }
    moves: list[StackMove] = []
    below = merged
    while (layer := next((each for each in stack if each.below == below), None)) is not None:
        below = layer.task_id
        if layers[below].is_merged or not layer.number:
            continue
        moves.append(_replayed(layer, layers, base, found))
        if moves[-1].kind is MoveKind.REFUSE:
            break
    return tuple(moves)


def _replayed(
    layer: Layer, layers: Mapping[str, Layer], base: str, found: Mapping[str, str]
) -> StackMove:
    onto, below = target_of(layer, layers, base), layers[layer.below]
    move = StackMove(
        kind=MoveKind.RETARGET,
        task_id=layer.task_id,
        branch=layer.branch,
        onto=onto,
        since=layer.begins_at or below.pushed,
        lease=layer.pushed,
    )
    at = found.get(layer.branch, "")
    if at == layer.pushed:
        return move
    what = f"is at {at[:12]}" if at else "is gone"
    reason = (
        f"{layer.branch} {what} on the remote, not at {layer.pushed[:12]}, which was pushed from here: nothing is "
        f"forced over it. Take it in or push yours, then have its pull request against {onto}"
    )
    return move.model_copy(update={"kind": MoveKind.REFUSE, "reason": reason})
