"""Dependency graphs: cycles with their path, removal of bad edges, layers that can run in parallel."""

from collections.abc import Mapping, Sequence

Graph = Mapping[str, Sequence[str]]
"""Node to the nodes it depends on, in a stable order."""


def find_cycle(graph: Graph) -> list[str] | None:
    """Return one cycle as a path whose first node is also its last, or None.

    Depth-first, without recursion, so that a long chain cannot overflow the stack.
    """
    done: set[str] = set()
    for root in graph:
        path: list[str] = []
        stack: list[tuple[str, bool]] = [(root, False)]
        while stack:
            node, is_left = stack.pop()
            if is_left:
                path.pop()
                done.add(node)
                continue
            if node in done:
                continue
            if node in path:
                return [*path[path.index(node) :], node]
            path.append(node)
            stack.append((node, True))
            stack.extend((n, False) for n in reversed(graph.get(node, ())) if n in graph)
    return None


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


def dependants(graph: Graph, node: str) -> list[str]:
    """Return every node that needs this one, directly or through others, in graph order."""
    found: set[str] = {node}
    grown = True
    while grown:
        more = {n for n, needs in graph.items() if n not in found and not found.isdisjoint(needs)}
        grown = bool(more)
        found |= more
    return [n for n in graph if n in found and n != node]
