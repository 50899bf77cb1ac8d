"""Graphs against a naive oracle: the transitive closure, by brute force."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from domain.core.graphs import cycles, dependants, layers

NODES = ["a", "b", "c", "d", "e", "f"]
graphs = st.dictionaries(
    st.sampled_from(NODES), st.lists(st.sampled_from([*NODES, "unknown"]), unique=True), max_size=6
)


def closure(graph: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Every (node, what it needs), directly or not."""
    pairs = {(node, need) for node, needs in graph.items() for need in needs if need in graph}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def is_cyclic(graph: dict[str, list[str]]) -> bool:
    return any(a == b for a, b in closure(graph))


def without(graph: dict[str, list[str]], edges: set[tuple[str, str]]) -> dict[str, list[str]]:
    return {node: [n for n in needs if (node, n) not in edges] for node, needs in graph.items()}


@given(graphs)
def test_there_are_cycles_where_a_node_needs_itself(graph: dict[str, list[str]]) -> None:
    assert bool(list(cycles(graph))) == is_cyclic(graph)


@given(graphs)
def test_each_cycle_is_a_path_of_the_graph(graph: dict[str, list[str]]) -> None:
    for path in cycles(graph):
        assert path[0] == path[-1]
        assert len(set(path)) == len(path) - 1
        assert all(b in graph[a] for a, b in itertools.pairwise(path))


@given(graphs)
def test_the_last_edges_of_the_cycles_leave_an_acyclic_graph(graph: dict[str, list[str]]) -> None:
    closing = [(path[-2], path[-1]) for path in cycles(graph)]
    assert len(set(closing)) == len(closing)
    assert not is_cyclic(without(graph, set(closing)))


@given(graphs)
def test_layers_hold_every_node_once_after_all_it_needs(graph: dict[str, list[str]]) -> None:
    graph = without(graph, {(path[-2], path[-1]) for path in cycles(graph)})
    groups = layers(graph)
    assert sorted(node for group in groups for node in group) == sorted(graph)
    needed = closure(graph)
    level = {node: n for n, group in enumerate(groups) for node in group}
    for node, number in level.items():
        below = [level[need] for a, need in needed if a == node]
        assert number == max(below, default=-1) + 1


@given(graphs, st.sampled_from(NODES))
def test_dependants_are_all_that_need_a_node(graph: dict[str, list[str]], node: str) -> None:
    expected = {a for a, b in closure({node: [], **graph}) if b == node and a != node}
    assert set(dependants(graph, node)) == expected & set(graph)
    assert dependants(graph, node) == [n for n in graph if n in dependants(graph, node)]


def test_a_chain_of_ten_thousand_does_not_overflow_the_stack() -> None:
    chain = {str(n): [str(n + 1)] for n in range(10_000)}
    assert list(cycles(chain)) == []
    assert len(next(cycles({**chain, "10000": ["0"]}))) == 10_002


def test_a_dense_circular_graph_is_walked_once() -> None:
    names = [str(n) for n in range(150)]
    assert sum(1 for _ in cycles(dict.fromkeys(names, names))) == 150 * 151 // 2
