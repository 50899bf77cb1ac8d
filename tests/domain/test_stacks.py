"""Stacked pull requests over random lives: merges of each kind, conflicts, pushes of others, and republishing."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from domain.forges.stacks import (
    Layer,
    StackStep,
    StackTask,
    StepKind,
    begun,
    ended,
    facing,
    next_step,
    replayed,
    target_of,
)

BASE = "main"
HOW = st.sampled_from(("merge", "squash"))
MOST_STEPS = 500


def tasks(count: int) -> list[StackTask]:
    return [StackTask(task_id=f"t{n}", title=f"Task {n}", commit=f"m{n}") for n in range(count)]


@dataclass
class World:
    """A forge and a repository of names: a commit is a name, and has those that it was made of."""

    stack: tuple[Layer, ...]
    base: str = "base-0"
    base_has: set[str] = field(default_factory=set)
    remote: dict[str, str] = field(default_factory=dict)
    against: dict[int, str] = field(default_factory=dict)
    forced: list[str] = field(default_factory=list)
    opened: int = 0

    def layer(self, task: str) -> Layer:
        return next(each for each in self.stack if each.task_id == task)

    def change(self, layer: Layer) -> None:
        self.stack = tuple(layer if e.task_id == layer.task_id else e for e in self.stack)

    def step(self) -> StackStep | None:
        texts = {e.task_id: " ".join(str(each.number) for each in self.stack) for e in self.stack}
        return next_step(self.stack, BASE, texts, deletes=True)

    def settle(self) -> None:
        for _ in range(MOST_STEPS):
            step = self.step()
            if step is None:
                return
            self.carry_out(step)
        raise AssertionError("it never comes to rest")

    def carry_out(self, step: StackStep) -> None:
        layer = self.layer(step.task_id)
        match step.kind:
            case StepKind.REPLAY:
                onto = step.onto_commit or self.base
                kept = onto == step.since or (not step.onto_commit and step.since in self.base_has)
                commit = step.commit if kept else f"{step.commit}@{onto}"
                self.change(replayed(layer, step, commit, step.since if kept else onto))
            case StepKind.PUBLISH:
                self.publish(layer, step)
            case StepKind.NOTE:
                self.change(layer.model_copy(update={"noted": layer.news}))
            case StepKind.REMOVE:
                assert layer.branch not in {self.against[e.number] for e in self.stack if e.is_open}
                self.remote.pop(layer.branch, None)
                self.change(layer.model_copy(update={"is_removed": True}))

    def publish(self, layer: Layer, step: StackStep) -> None:
        at = self.remote.get(layer.branch, "")
        if at not in {"", step.commit, *layer.made}:
            self.change(layer.model_copy(update={"trouble": f"somebody pushed {at}"}))
            return
        if at != step.commit:
            self.forced.append(at)
        self.remote[layer.branch] = step.commit
        number = layer.number
        if not number:
            self.opened += 1
            number = self.opened
        self.against[number] = step.target
        texts = " ".join(str(each.number) for each in self.stack)
        changes = {"pushed": step.commit, "against": step.target, "told": texts, "number": number}
        self.change(layer.model_copy(update=changes))

    def merge_lowest(self, how: str) -> bool:
        layer = facing(self.stack)
        if layer is None or not layer.is_open or layer.against != BASE:
            return False
        self.base = f"{how}({layer.pushed})"
        if how == "merge":
            self.base_has |= {layer.pushed, *layer.made}
        self.stack = ended(self.stack, layer.number, self.base, layer.pushed, is_merged=True)
        return True


def published(count: int) -> World:
    world = World(begun((), tasks(count), f"m{count - 1}", "treadle/x", BASE))
    world.settle()
    return world


@given(st.integers(1, 8))
def test_each_task_is_a_pull_request_on_the_one_before(count: int):
    world = published(count)

    assert [layer.against for layer in world.stack] == [
        BASE,
        *(layer.branch for layer in world.stack[:-1]),
    ]
    assert world.opened == count
    assert len({layer.branch for layer in world.stack}) == count
    assert all(layer.told == world.stack[0].told for layer in world.stack)


@given(st.integers(1, 8), st.lists(HOW, min_size=8, max_size=8))
def test_merged_from_below_all_end_in_the_base_and_no_branch_is_left(count: int, hows: list[str]):
    world = published(count)

    for how in hows[:count]:
        assert world.merge_lowest(how)
        world.settle()
        lowest = facing(world.stack)
        assert lowest is not None
        assert lowest.against == BASE

    assert all(layer.is_merged and layer.is_removed for layer in world.stack)
    assert world.remote == {}
    assert world.opened == count


@given(st.integers(2, 6), st.data())
def test_nothing_is_forced_over_what_somebody_else_pushed(count: int, data: st.DataObject):
    world = published(count)
    whose = data.draw(st.integers(1, count - 1))
    branch = world.stack[whose].branch
    world.remote[branch] = "theirs"

    while world.merge_lowest("squash"):
        world.settle()

    assert world.remote[branch] == "theirs"
    assert world.stack[whose].trouble
    assert all(layer.is_open for layer in world.stack[whose:])
    assert all(layer.onto == world.stack[at].branch for at, layer in _above(world, whose))


def _above(world: World, whose: int) -> list[tuple[int, Layer]]:
    return list(enumerate(world.stack[whose + 1 :], whose))


@given(st.integers(2, 6), st.data())
def test_closing_one_moves_nothing(count: int, data: st.DataObject):
    world = published(count)
    closed = data.draw(st.integers(0, count - 1))
    before, number = len(world.forced), world.stack[closed].number

    world.stack = ended(world.stack, number, "", "", is_merged=False)
    world.settle()

    assert len(world.forced) == before
    others = [layer for at, layer in enumerate(world.stack) if at != closed]
    assert all(layer.is_open and layer.noted == layer.news for layer in others)

    world.stack = begun(world.stack, tasks(count), f"m{count - 1}", "treadle/x", BASE)
    world.settle()
    assert world.stack[closed].number == count + 1
    assert world.stack[closed].is_open


@given(st.integers(1, 4), st.integers(0, 4), HOW, st.integers(0, 3))
def test_what_is_published_later_comes_on_top(count: int, merged: int, how: str, more: int):
    world = published(count)
    for _ in range(min(merged, count)):
        world.merge_lowest(how)
        world.settle()
    open_before = [layer.task_id for layer in world.stack if layer.is_open]

    world.stack = begun(world.stack, tasks(count + more), "head", "treadle/x", BASE)
    world.settle()

    top = world.stack[-1]
    assert top.wanted == top.source == "head"
    assert all(layer.is_open for layer in world.stack if layer.task_id in open_before)
    for layer in world.stack:
        if layer.is_open:
            assert layer.pushed == layer.commit == world.remote[layer.branch]
            assert layer.against == target_of(layer, world.stack, BASE)


@given(st.integers(2, 6), st.data())
def test_one_merged_into_the_branch_below_moves_that_one(count: int, data: st.DataObject):
    world = published(count)
    whose = data.draw(st.integers(1, count - 1))
    upper, lower = world.stack[whose], world.stack[whose - 1]

    world.remote[lower.branch] = "joined"
    world.stack = ended(world.stack, upper.number, "joined", upper.pushed, is_merged=True)
    world.settle()

    assert world.stack[whose - 1].commit == "joined"
    assert not any(layer.trouble for layer in world.stack)
    if whose + 1 < count:
        assert world.stack[whose + 1].against == lower.branch


@given(st.integers(1, 6), st.lists(HOW, min_size=6, max_size=6), st.data())
def test_a_step_that_is_carried_out_twice_changes_nothing(
    count: int, hows: list[str], data: st.DataObject
):
    world = World(begun((), tasks(count), f"m{count - 1}", "treadle/x", BASE))
    for how in hows[:count]:
        while (step := world.step()) is not None:
            if step.kind is StepKind.PUBLISH and data.draw(st.booleans()):
                world.remote[world.layer(step.task_id).branch] = step.commit  # the answer was lost
            world.carry_out(step)
        world.merge_lowest(how)
    world.settle()

    assert all(layer.is_merged for layer in world.stack)
    assert world.opened == count
