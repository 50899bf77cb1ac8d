"""Stacked pull requests over random plans and orders of merging."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.forges.stacks import (
    Layer,
    MoveKind,
    moves_after,
    stack_of,
    stack_order,
    target_of,
)


@st.composite
def plans(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    """Return tasks with what each needs, in no particular order."""
    names = [f"t{number}" for number in range(draw(st.integers(1, 9)))]
    needs = {
        name: tuple(draw(st.sets(st.sampled_from(names[:at]))) if at else ())
        for at, name in enumerate(names)
    }
    return {name: needs[name] for name in draw(st.permutations(names))}


def opened(needs: dict[str, tuple[str, ...]]) -> tuple[Layer, ...]:
    layers = stack_of(needs, {name: f"b/{name}" for name in needs})
    return tuple(
        layer.model_copy(update={"pushed": f"at-{layer.task_id}", "number": number})
        for number, layer in enumerate(layers, 1)
    )


@given(plans())
def test_every_task_is_in_one_line_above_all_that_it_needs(needs: dict[str, tuple[str, ...]]):
    lines = stack_order(needs)

    assert sorted(task for line in lines for task in line) == sorted(needs)
    for line in lines:
        for at, task in enumerate(line):
            assert set(needs[task]) <= set(line[:at])


@given(plans())
def test_tasks_that_have_nothing_to_do_with_each_other_are_in_lines_of_their_own(
    needs: dict[str, tuple[str, ...]],
):
    groups: list[set[str]] = []
    for task, below in needs.items():
        joined = {task, *below}
        for group in [group for group in groups if group & joined]:
            joined |= group
            groups.remove(group)
        groups.append(joined)

    assert sorted(map(sorted, stack_order(needs))) == sorted(map(sorted, groups))


@given(plans(), st.data())
def test_whatever_is_merged_first_the_rest_stands_on_what_is_open(
    needs: dict[str, tuple[str, ...]], data: st.DataObject
):
    stack = opened(needs)
    for name in data.draw(st.permutations([layer.task_id for layer in stack])):
        found = {layer.branch: layer.pushed for layer in stack}
        moves = moves_after(name, stack, "main", found)
        stack = tuple(
            each.model_copy(update={"is_merged": True}) if each.task_id == name else each
            for each in stack
        )
        layers = {each.task_id: each for each in stack}

        for move in moves:
            assert move.kind is MoveKind.RETARGET
            assert move.onto == target_of(layers[move.task_id], layers, "main")
            assert move.lease == layers[move.task_id].pushed
            assert not layers[move.task_id].is_merged
        open_targets = {"main", *(each.branch for each in stack if not each.is_merged)}
        assert {target_of(e, layers, "main") for e in stack if not e.is_merged} <= open_targets


@given(plans(), st.data())
def test_nothing_is_forced_over_another_s_push_nor_moved_above_it(
    needs: dict[str, tuple[str, ...]], data: st.DataObject
):
    stack = opened(needs)
    merged = data.draw(st.sampled_from([layer.task_id for layer in stack]))
    theirs = data.draw(st.sets(st.sampled_from([layer.branch for layer in stack])))
    found = {layer.branch: "else" if layer.branch in theirs else layer.pushed for layer in stack}

    moves = moves_after(merged, stack, "main", found)

    for move in moves:
        assert (move.kind is MoveKind.REFUSE) == (move.branch in theirs)
    assert all(move.kind is MoveKind.RETARGET for move in moves[:-1])


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match="circle"):
        stack_order({"a": ("b",), "b": ("a",)})
