"""A loop whose effects are those that its rules require."""

from collections.abc import Coroutine
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from domain.core.inputs import WorkflowInput
from workflows.loop import Loop, S, Start


class Required(Protocol):
    """An effect; what has the same key is the same, and is started once.

    A resumable one goes on in the next run of the workflow, or is started again there without harm.
    A brief one ends soon, and most often another effect follows that carries events.
    """

    is_resumable: ClassVar[bool]
    is_brief: ClassVar[bool]

    @property
    def key(self) -> str:
        """What tells it from all others."""
        ...


E = TypeVar("E", bound=Required)


class EffectLoop(Loop[S], Generic[S, E]):
    """The loop of every workflow; what must be under way is what its rules require."""

    def __init__(self, given: WorkflowInput, stream: str, prefix: str = "") -> None:
        super().__init__(given, stream, prefix)
        self._required: set[str] = set()
        self._effects: dict[str, E] = {}

    def carry_out(self, effect: E) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect and submits how it ended."""
        raise NotImplementedError

    def must_stop(self, effect: E) -> bool:
        """Tell whether an effect that is under way must stop."""
        raise NotImplementedError

    def is_required(self, effect: E) -> bool:
        """Tell whether an effect was required when effects were last started."""
        return effect.key in self._required

    def can_resume(self, key: str) -> bool:
        """Tell whether the next run can take up an effect that is under way."""
        effect = self._effects.get(key)
        return effect is not None and effect.is_resumable

    def is_carrier(self, key: str) -> bool:
        """Tell whether an effect ends soon, and most often another follows that carries events."""
        effect = self._effects.get(key)
        return effect is not None and effect.is_brief

    def effects(self) -> dict[str, Start]:
        """Return what must be under way, as the rules require."""
        required: dict[str, E] = {e.key: e for e in self.rules.effects(self._state)}
        self._required = set(required)
        under_way = {key: e for key, e in self._effects.items() if key in self._under_way}
        self._effects = under_way | required
        return {key: partial(self.carry_out, effect) for key, effect in required.items()}

    def cancellations(self) -> set[str]:
        """Return what is to stop."""
        return {key for key, effect in self._effects.items() if self.must_stop(effect)}
