"""One registry of rules for every aggregate: a thread, a task, a session, a run of a flow, the queue.

    QUEUE_RULES = Rules[QueueState, QueueEffect]("the queue")

    @QUEUE_RULES.handles                                # a command becomes events, or is refused
    def hold_entry(command: HoldEntry, state: QueueState) -> Decided: ...

    @QUEUE_RULES.evolves                                # an event changes the state; it never raises
    def apply_entry_held(event: EntryHeld, state: QueueState) -> QueueState: ...

    @QUEUE_RULES.reacts                                 # events that follow by themselves
    def start_entries(state: QueueState, now: datetime) -> Iterable[EventBody]: ...

    @QUEUE_RULES.requires                               # effects that must be under way in a state
    def follow_others(state: QueueState) -> Iterable[QueueEffect]: ...

A rule takes what it needs, by the names of its parameters: `now` is the time of the command, given by
the workflow. The types of commands and events come from the annotation (one class, or a union), or
are arguments of the decorator: `@QUEUE_RULES.handles(Enqueue, Requeue)`.

A registry may extend another: it has the rules of that one after its own, and its own rule of a command
takes precedence. So sessions and tasks share the rules of conversations.
"""

from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from inspect import signature
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, overload

from domain.core.approvals import ApprovalRequest, Outcome, Subject
from domain.core.command import Command, Verdict
from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.core.event import EventBody
from domain.core.wire import Wire

MAX_ROUNDS = 1_000
"""Reactions that go on for longer never come to an end."""

S = TypeVar("S", bound=Wire)
E = TypeVar("E")
R = TypeVar("R")
Handler = TypeVar("Handler", bound=Callable[..., Decided])
Guard = TypeVar("Guard", bound=Callable[..., None])
Evolver = TypeVar("Evolver", bound=Callable[..., Wire])
Reaction = TypeVar("Reaction", bound=Callable[..., Iterable[EventBody]])
EffectRule = TypeVar("EffectRule", bound=Callable[..., Iterable[Any]])

_COMMAND = ("command", "state", "now")
_VERDICT = ("verdict", "request", "outcome", "state", "now")
_EVENT = ("event", "state")
_REACTION = ("state", "before", "now")


class Rule(Generic[R]):
    """A function that is called with those of the offered values that its parameters name.

    Raises:
        TypeError: It has a parameter that is not offered.
    """

    def __init__(self, function: Callable[..., R], offered: tuple[str, ...]) -> None:
        names = tuple(signature(function).parameters)
        unknown = [name for name in names if name not in offered]
        if unknown:
            wrong = ", ".join(unknown)
            raise TypeError(f"{function.__qualname__} takes {wrong}; offered are {offered}")
        self.function = function
        self._places = tuple(offered.index(name) for name in names)

    def __call__(self, *values: object) -> R:
        """Call the function with its share of the values, which come in the order of the offer."""
        return self.function(*[values[place] for place in self._places])


@dataclass(frozen=True)
class Registered:
    """The rules that one registry has of its own, in order of registration."""

    guards: list[Rule[None]] = field(default_factory=list[Rule[None]])
    handlers: dict[type, Rule[Decided]] = field(default_factory=dict[type, Rule[Decided]])
    settlements: dict[Subject, Rule[Decided]] = field(default_factory=dict[Subject, Rule[Decided]])
    evolvers: list[tuple[type, Rule[Any]]] = field(default_factory=list[tuple[type, Rule[Any]]])
    reactions: list[Rule[Iterable[Any]]] = field(default_factory=list[Rule[Iterable[Any]]])
    effects: list[Rule[Iterable[Any]]] = field(default_factory=list[Rule[Iterable[Any]]])


class Rules(Generic[S, E]):
    """The rules of one aggregate; `name` is how a refusal calls it ("a thread").

    `family` are its own rules, and those of the registry that it extends.
    """

    def __init__(self, name: str, *, extends: "Rules[Any, Any] | None" = None) -> None:
        self._name = name
        self._own = Registered()
        self.family: tuple[Registered, ...] = (self._own, *(extends.family if extends else ()))
        self._evolvers_of: dict[type, tuple[Rule[S], ...]] = {}

    # --- registering

    def guards(self, rule: Guard) -> Guard:
        """Register a rule that may refuse any command, before it is handled."""
        self._own.guards.append(Rule(rule, _COMMAND))
        return rule

    @overload
    def handles(self, *types: type[Wire]) -> Callable[[Handler], Handler]: ...

    @overload
    def handles(self, rule: Handler, /) -> Handler: ...

    def handles(self, *of: Any) -> Any:
        """Register the one rule of a command type and of the types derived from it."""
        return _register_rule(self._add_handler, "command", of)

    def _add_handler(self, rule: Callable[..., Decided], types: tuple[type, ...]) -> None:
        for each in types:
            if each in self._own.handlers:
                raise TypeError(f"{self._name} has two rules for the command {each.__name__}")
            self._own.handlers[each] = Rule(rule, _COMMAND)

    def decides(self, subject: Subject) -> Callable[[Handler], Handler]:
        """Register the one rule for decisions on requests of a subject."""

        def register(rule: Handler) -> Handler:
            if subject in self._own.settlements:
                raise TypeError(f"{self._name} has two rules for decisions on {subject}")
            self._own.settlements[subject] = Rule(rule, _VERDICT)
            return rule

        return register

    @overload
    def evolves(self, *types: type[Wire]) -> Callable[[Evolver], Evolver]: ...

    @overload
    def evolves(self, rule: Evolver, /) -> Evolver: ...

    def evolves(self, *of: Any) -> Any:
        """Register how an event changes the state; several rules apply in order of registration."""
        return _register_rule(self._add_evolver, "event", of)

    def _add_evolver(self, rule: Callable[..., S], types: tuple[type, ...]) -> None:
        self._own.evolvers.extend((each, Rule(rule, _EVENT)) for each in types)
        self._evolvers_of.clear()

    def reacts(self, rule: Reaction) -> Reaction:
        """Register events that follow by themselves from a state, whatever command led to it.

        `before` is the state in which the command came. Reactions run in order of registration,
        each sees the events of those before, and all run again until none has any.
        """
        self._own.reactions.append(Rule(rule, _REACTION))
        return rule

    def requires(self, rule: EffectRule) -> EffectRule:
        """Register the effects that a state requires to be under way."""
        self._own.effects.append(Rule(rule, ("state",)))
        return rule

    # --- applying

    @property
    def commands(self) -> tuple[type[Command], ...]:
        """The commands of people and agents that it takes, each reachable as an update and a signal."""
        taken = dict.fromkeys(kind for rules in self.family for kind in rules.handlers)
        return tuple(kind for kind in taken if issubclass(kind, Command))

    def decide(self, state: S, command: Wire, now: datetime) -> Decided:
        """Return the events of a command, with those that follow by themselves.

        Raises:
            TreadleError: The command is refused; nothing changes.
        """
        for guard in (guard for rules in self.family for guard in rules.guards):
            guard(command, state, now)
        decided = self.handle(state, command, now)
        more = self._reacted(state, self.fold(state, decided.events), now)
        return decided._replace(events=(*decided.events, *more)) if more else decided

    def handle(self, state: S, command: Wire, now: datetime) -> Decided:
        """Return the events of a command alone; for rules that pass a command on to another rule.

        Raises:
            InvalidError: This aggregate takes no such command.
            TreadleError: The command is refused.
        """
        handlers = ChainMap(*(rules.handlers for rules in self.family))
        for each in type(command).__mro__:
            if (rule := handlers.get(each)) is not None:
                return rule(command, state, now)
        raise InvalidError(f"{self._name} takes no command {type(command).__name__!r}")

    def settle(
        self, state: S, verdict: Verdict, request: ApprovalRequest, outcome: Outcome, now: datetime
    ) -> Decided:
        """Return the events of a decision on a request, by the rule of its subject.

        Raises:
            TreadleError: The decision is refused.
        """
        rule = ChainMap(*(rules.settlements for rules in self.family))[request.subject]
        return rule(verdict, request, outcome, state, now)

    def evolve(self, state: S, event: EventBody) -> S:
        """Return the state after an event; one that no rule knows changes nothing."""
        kind = type(event)
        known = self._evolvers_of.get(kind)
        if known is None:
            evolvers = (evolver for rules in self.family for evolver in rules.evolvers)
            known = tuple(rule for each, rule in evolvers if issubclass(kind, each))
            self._evolvers_of[kind] = known
        for rule in known:
            state = rule(event, state)
        return state

    def fold(self, state: S, events: Iterable[EventBody]) -> S:
        """Return the state after events."""
        return reduce(self.evolve, events, state)

    def effects(self, state: S) -> list[E]:
        """Return all effects that must be under way in a state."""
        required = (rule for rules in self.family for rule in rules.effects)
        return [effect for rule in required for effect in rule(state)]

    def _reacted(self, before: S, state: S, now: datetime) -> list[EventBody]:
        """Return all that follows by itself in a state; `before` is that in which the command came."""
        events: list[EventBody] = []
        reactions = [rule for rules in self.family for rule in rules.reactions]
        for _ in range(MAX_ROUNDS):
            known = len(events)
            for rule in reactions:
                more = tuple(rule(state, before, now))
                state = self.fold(state, more)
                events += more
            if len(events) == known:
                return events
        last = type(events[-1]).__name__
        raise RuntimeError(
            f"the reactions of {self._name} do not end: {last} comes again and again"
        )


def _register_rule(
    add: Callable[[Callable[..., Any], tuple[type, ...]], None], parameter: str, of: tuple[Any, ...]
) -> Any:
    """Register a rule by its annotation, or return the decorator that registers one for types."""
    if len(of) == 1 and not isinstance(of[0], type):
        add(of[0], _annotated(of[0], parameter))
        return of[0]

    def register(rule: Callable[..., Any]) -> Callable[..., Any]:
        add(rule, of)
        return rule

    return register


def _annotated(rule: Callable[..., Any], parameter: str) -> tuple[type, ...]:
    """Return the classes that a parameter is annotated with."""
    known = signature(rule).parameters.get(parameter)
    annotation: Any = known.annotation if known else None
    if get_origin(annotation) in {Union, UnionType}:
        return get_args(annotation)
    if isinstance(annotation, type):
        return (annotation,)
    raise TypeError(f"{rule.__qualname__} has no {parameter!r} with a class: name the classes")
