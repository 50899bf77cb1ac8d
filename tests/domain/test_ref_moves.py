"""Moves of refs in several repositories: all or nothing, whoever is killed or moves a ref in between."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.ref_moves import (
    Direction,
    End,
    Move,
    MovesEnd,
    Position,
    PutBack,
    RefMove,
    TurnBack,
    WrittenMoves,
    next_act,
)
from tests.hypothesis_profiles import effort

MOST = 4


class KilledError(Exception):
    """The process that moved the refs is gone."""


@dataclass
class World:
    """Repositories with one ref each, as lists of the commits that it has; and what is on the disk."""

    refs: list[list[str]]
    moves: tuple[RefMove, ...]
    foreign: dict[int, tuple[int, bool]]
    kills: set[int]
    disk: WrittenMoves | None = None
    step: int = 0
    meddled: set[int] = field(default_factory=set[int])

    def tick(self) -> None:
        """Let happen what happens at this moment: somebody moves a ref, the process is killed."""
        self.step += 1
        if (found := self.foreign.get(self.step)) is not None:
            number, is_on_top = found
            number %= len(self.refs)
            self.meddled.add(number)
            kept = self.refs[number] if is_on_top else self.refs[number][:-1]
            self.refs[number] = [*kept, f"theirs-{self.step}"]
        if self.step in self.kills:
            raise KilledError

    def position(self, number: int) -> Position:
        move, ref = self.moves[number], self.refs[number]
        if ref[-1] == move.old:
            return Position.BEFORE
        if ref[-1] == move.new:
            return Position.AFTER
        return Position.BEYOND if move.new in ref else Position.ELSEWHERE

    def swap(self, move: RefMove, *, is_back: bool) -> None:
        """Move a ref by compare-and-swap; what it is compared with may have changed since it was looked at."""
        ref = self.refs[self.moves.index(move)]
        if is_back and ref[-1] == move.new:
            ref.pop()
        elif not is_back and ref[-1] == move.old:
            ref.append(move.new)

    def has(self, number: int) -> bool:
        return self.moves[number].new in self.refs[number]


def carried_out(world: World) -> MovesEnd:
    """Do what the rules say until they end, as the adapter does; raises where it is killed."""
    if world.disk is None:
        world.tick()
        world.disk = WrittenMoves(key="merge", moves=world.moves)
    while True:
        world.tick()
        positions = [world.position(n) for n in range(len(world.moves))]
        act = next_act(world.disk, positions)
        if not isinstance(act, End):  # what somebody does after the last look is after the end
            world.tick()
        match act:
            case Move(move):
                world.swap(move, is_back=False)
            case PutBack(move):
                world.swap(move, is_back=True)
            case TurnBack():
                world.disk = world.disk.model_copy(update={"direction": Direction.BACK})
            case End(end):
                return end


def ended(world: World) -> MovesEnd:
    """Start again after each kill: what a killed one has written down is found by the next."""
    while True:
        try:
            return carried_out(world)
        except KilledError:
            continue


@st.composite
def worlds(draw: st.DrawFn, *, meddling: int = 6) -> World:
    count = draw(st.integers(1, MOST))
    names = range(count)
    moves = tuple(RefMove(repository=f"r{n}", ref="b", old=f"o{n}", new=f"n{n}") for n in names)
    moments = st.integers(1, 30)
    move = st.tuples(st.integers(0, MOST - 1), st.booleans())
    foreign = draw(st.dictionaries(moments, move, max_size=meddling))
    kills = draw(st.sets(moments, max_size=8))
    return World([["root", f"o{n}"] for n in names], moves, foreign, kills)


@given(worlds())
@effort(400)
def test_all_have_the_merge_or_none_has_or_people_are_told(world):
    end = ended(world)

    having = {n for n in range(len(world.moves)) if world.has(n)}
    if end is MovesEnd.MOVED:
        assert having == set(range(len(world.moves)))
    elif end is MovesEnd.PUT_BACK:
        assert having == set()
    else:
        assert having <= world.meddled  # only where somebody has built on it


@given(worlds(meddling=0))
@effort(200)
def test_kills_alone_never_undo_a_merge(world):
    assert ended(world) is MovesEnd.MOVED


@given(worlds(meddling=1))
@effort(400)
def test_one_foreign_move_never_leaves_a_half(world):
    end = ended(world)

    assert end is not MovesEnd.TANGLED
    others = set(range(len(world.moves))) - world.meddled
    assert all(world.refs[n][-1] == world.moves[n].old for n in others) or end is MovesEnd.MOVED


@given(worlds())
@effort(200)
def test_nothing_of_other_people_is_lost(world):
    seen: set[str] = set()
    tick = world.tick

    def watched() -> None:
        tick()
        seen.update(name for ref in world.refs for name in ref[-1:] if name.startswith("theirs"))

    world.tick = watched
    world.kills = set()
    carried_out(world)

    newest = {number % len(world.refs): step for step, (number, _) in sorted(world.foreign.items())}
    for number, step in newest.items():
        if f"theirs-{step}" in seen:
            assert f"theirs-{step}" in world.refs[number]


def written(direction: Direction = Direction.FORWARD) -> WrittenMoves:
    moves = tuple(RefMove(repository=name, ref="b", old="1", new="2") for name in ("a", "b"))
    return WrittenMoves(key="merge", moves=moves, direction=direction)


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ((Position.BEFORE, Position.BEFORE), Move(written().moves[0])),
        ((Position.AFTER, Position.BEFORE), Move(written().moves[1])),
        ((Position.AFTER, Position.AFTER), End(MovesEnd.MOVED)),
        ((Position.BEYOND, Position.AFTER), End(MovesEnd.MOVED)),
        ((Position.AFTER, Position.ELSEWHERE), TurnBack()),
    ],
)
def test_moves_go_on_unless_a_ref_is_elsewhere(positions, expected):
    assert next_act(written(), positions) == expected


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ((Position.AFTER, Position.ELSEWHERE), PutBack(written().moves[0])),
        ((Position.AFTER, Position.AFTER), PutBack(written().moves[1])),
        ((Position.BEFORE, Position.ELSEWHERE), End(MovesEnd.PUT_BACK)),
        ((Position.BEYOND, Position.ELSEWHERE), End(MovesEnd.TANGLED)),
    ],
)
def test_moves_that_go_back_never_go_forward_again(positions, expected):
    assert next_act(written(Direction.BACK), positions) == expected
