"""Dependency graphs: cycles with their path, removal of bad edges, layers that can run in parallel."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

Graph = Mapping[str, Sequence[str]]
"""Node to the nodes it depends on, in a stable order."""


def cycles(graph: Graph) -> Iterator[list[str]]:
    """Yield a path for each edge that closes a cycle; its first node is also its last.

    Without those edges (the last of each path) the graph is acyclic. One depth-first walk, linear
    in the graph, and without recursion, so that a long chain cannot overflow the stack.
    """
    done: set[str] = set()
    for root in graph:
        path: dict[str, None] = {}
        stack: list[tuple[str, Iterator[str]]] = []
        if root not in done:
            path[root] = None
            stack.append((root, iter(graph[root])))
        while stack:
            node, needs = stack[-1]
            needed = next(needs, None)
            if needed is None:
                stack.pop()
                del path[node]
                done.add(node)
            elif needed in path:
                before = list(path)
                yield [*before[before.index(needed) :], needed]
            elif needed in graph and needed not in done:
                path[needed] = None
                stack.append((needed, iter(graph[needed])))


def layers(graph: Graph) -> list[list[str]]:
    """Return the parallel groups of an acyclic graph: each needs only earlier ones."""
    depth: dict[str, int] = {}
    remaining = dict(graph)
    level = 0
    result: list[list[str]] = []
    while remaining:
        ready = [
            n for n, needs in remaining.items() if all(d in depth or d not in graph for d in needs)
        ]
        if not ready:
            raise ValueError("the graph has a cycle")
        result.append(ready)
        for node in ready:
            depth[node] = level
            del remaining[node]
        level += 1
    return result


def longest_path(graph: Graph) -> list[str]:
    """Return the longest chain of an acyclic graph, first what needs nothing; of several the first."""
    best: dict[str, list[str]] = {}
    for layer in layers(graph):
        for node in layer:
            before = [best[needed] for needed in graph[node] if needed in best]
            best[node] = [*_longest(before), node]
    return _longest(best.values())


def _longest(paths: Iterable[list[str]]) -> list[str]:
    return max(paths, key=len, default=list[str]())


def dependants(graph: Graph, node: str) -> list[str]:
    """Return every node that needs this one, directly or through others, in graph order."""
    found: set[str] = {node}
    grown = True
    while grown:
        more = {n for n, needs in graph.items() if n not in found and not found.isdisjoint(needs)}
        grown = bool(more)
        found |= more
    return [n for n in graph if n in found and n != node]
