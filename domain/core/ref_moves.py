"""Moves of refs in several repositories that count only together: all are made, or none stays.

Git has no transaction over repositories. So the moves are written down before the first one is made, and
whoever finds them later, by what is written and by where the refs are, brings them to one of their ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.core.wire import Wire


class RefMove(Wire):
    """A ref of a repository that goes from one commit to another; `old` is empty where it is made.

    With a `remote` it is the ref there, as long as the remote has this `address`.
    """

    repository: str
    remote: str = ""
    address: str = ""
    ref: str
    old: str
    new: str


class Direction(StrEnum):
    """Whether moves go on, or back for good."""

    FORWARD = "forward"
    BACK = "back"


class WrittenMoves(Wire):
    """What is on the disk of moves that are under way; `key` names what they are for."""

    key: str
    moves: tuple[RefMove, ...]
    direction: Direction = Direction.FORWARD


class Position(StrEnum):
    """Where the ref of a move is.

    `beyond` has the new commit and cannot be put back, most often for what somebody else has on top of it;
    `elsewhere` has it not, and cannot be moved there.
    """

    BEFORE = "before"
    AFTER = "after"
    BEYOND = "beyond"
    ELSEWHERE = "elsewhere"


class MovesEnd(StrEnum):
    """How moves ended: all are made, none is, or two foreign moves in one go left them `tangled`."""

    MOVED = "moved"
    PUT_BACK = "put_back"
    TANGLED = "tangled"


@dataclass(frozen=True)
class Move:
    """Move this ref from `old` to `new`, if it still is at `old`."""

    move: RefMove


@dataclass(frozen=True)
class PutBack:
    """Move this ref from `new` to `old`, if it still is at `new`."""

    move: RefMove


@dataclass(frozen=True)
class TurnBack:
    """Write down that the moves go back, before any of them does."""


@dataclass(frozen=True)
class End:
    """Forget what is written down: nothing is left to do."""

    end: MovesEnd


MovesAct = Move | PutBack | TurnBack | End


def next_act(written: WrittenMoves, positions: Sequence[Position]) -> MovesAct:
    """Return what is to be done next, by what is written down and where each ref is.

    It is asked again after each act, and after whatever killed one.
    """
    pairs = tuple(zip(written.moves, positions, strict=True))
    if written.direction is Direction.BACK:
        made = next((move for move, at in reversed(pairs) if at is Position.AFTER), None)
        if made is not None:
            return PutBack(made)
        is_tangled = Position.BEYOND in positions
        return End(MovesEnd.TANGLED if is_tangled else MovesEnd.PUT_BACK)
    if Position.ELSEWHERE in positions:
        return TurnBack()
    waiting = next((move for move, at in pairs if at is Position.BEFORE), None)
    return End(MovesEnd.MOVED) if waiting is None else Move(waiting)
