"""Choosing among labelled options: of a plan's decisions, and of an agent's."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from domain.core.errors import InvalidError


class Labelled(Protocol):
    """An option that is chosen by its label."""

    @property
    def label(self) -> str:
        """What it is called."""
        ...


class Choosable(Protocol):
    """What offers options."""

    @property
    def options(self) -> Sequence[Labelled]:
        """What can be chosen."""
        ...

    @property
    def multi_select(self) -> bool:
        """Whether several can be."""
        ...


def chosen_of(asked: Choosable, selections: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that were chosen, in the order of the options; `a,b` chooses two.

    Raises:
        InvalidError: Unknown, empty, doubled, too many or none; it lists the valid ones.
    """
    labels = [option.label for option in asked.options]
    named: list[str] = []
    for selection in selections:
        is_label = selection.strip() in labels
        named += [selection.strip()] if is_label else [s.strip() for s in selection.split(",")]
    unknown = [name for name in named if name not in labels]
    is_wrong_count = not named or (len(named) > 1 and not asked.multi_select)
    if unknown or is_wrong_count or len(set(named)) < len(named):
        how = "one or more" if asked.multi_select else "exactly one"
        raise InvalidError(f"choose {how} of: {', '.join(labels)}; got: {', '.join(named)!r}")
    return tuple(label for label in labels if label in named)
