"""Where a thread goes on when it moves between hosts."""

from hypothesis import given
from hypothesis import strategies as st

from domain.core.moves import HostMove
from domain.threads import rules
from domain.threads.moving.events import ThreadMoved
from domain.threads.moving.rules import EndSpread, SpreadMove
from tests.domain.planning_world import World

MOVES = st.lists(
    st.builds(HostMove, host=st.sampled_from(["a", "b", "c"]), generation=st.integers(1, 6)),
    min_size=1,
)


def spreading(world: World) -> list[HostMove]:
    return [e.move for e in rules.effects(world.state) if isinstance(e, SpreadMove)]


@given(moves=MOVES)
def test_the_newest_move_counts_in_whatever_order_they_come(moves: list[HostMove]) -> None:
    world = World(is_planned=False)
    for move in moves:
        world.send(move)
    taken = [event for event in world.log if isinstance(event, ThreadMoved)]

    newest = max(move.generation for move in moves)
    first = next(move for move in moves if move.generation == newest)
    assert world.state.opened
    assert (world.state.opened.host, world.state.moving.generation) == (first.host, newest)
    numbers = [event.generation for event in taken]
    assert numbers == sorted(set(numbers))
    hosts = ["h", *(event.to_host for event in taken)]
    assert [event.from_host for event in taken] == hosts[:-1]


@given(moves=MOVES, spread=st.integers(1, 6))
def test_a_move_is_spread_until_its_sessions_and_tasks_know_of_it(
    moves: list[HostMove], spread: int
) -> None:
    world = World(is_planned=False)
    for move in moves:
        world.send(move)
    newest = world.state.moving.generation
    world.send(EndSpread(generation=min(spread, newest)))

    is_known = spread >= newest
    assert [move.generation for move in spreading(world)] == ([] if is_known else [newest])
    world.send(EndSpread(generation=newest))
    world.send(EndSpread(generation=newest))
    assert spreading(world) == []
