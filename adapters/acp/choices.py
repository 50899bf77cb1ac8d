"""What an agent's session offers, and the setting of mode, model and config options in it.

Config options came after modes and models in the protocol, and replace them; agents have either, some
have both.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from adapters.acp.limits import clipped
from adapters.acp.wire import RefusedError, Wire
from adapters.tolerant import as_dict, as_list, as_text
from domain.agents.agents import READERS, TurnInput
from domain.agents.offers import OfferedOption, OfferedValue, OptionValue
from domain.agents.profiles import AgentProfile
from domain.agents.updates import kind_of

SET_SECONDS = 60.0
MAX_OPTIONS = 30
MAX_VALUES = 60
MAX_NAMED = 20
MAX_NAME_BYTES = 100
MODE, MODEL = "mode", "model"
ON = frozenset({"true", "on", "yes"})
OFF = frozenset({"false", "off", "no"})


class Choice(NamedTuple):
    """An option by id or category, and the value that it shall have."""

    name: str
    value: OptionValue


class Offers:
    """What one session offers now: it changes with each answer, and with the agent's own updates."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self._options: list[dict[str, Any]] = []
        self._old = {name: as_dict(answer.get(f"{name}s")) for name in (MODE, MODEL)}
        self._learn(answer)

    def know(self, update: dict[str, Any]) -> None:
        """Learn from a session update; most tell nothing of this."""
        kind = kind_of(update)
        if kind == "config_option_update":
            self._learn(update)
        elif kind == "current_mode_update":
            self._old[MODE] = {**self._old[MODE], "currentModeId": update.get("currentModeId")}

    def listed(self) -> tuple[OfferedOption, ...]:
        """Return all of it, bounded."""
        options = [_option(option) for option in self._options[:MAX_OPTIONS]]
        known = {option.category for option in options}
        old = (self._old_option(name) for name in (MODE, MODEL) if name not in known)
        return (*(option for option in old if option.values), *options)

    async def choose(self, wire: Wire, session: str, choice: Choice) -> str:
        """Set one option; returns what to note where that did not work."""
        call = self._call(session, choice)
        if call is None:
            return f"the agent offers no {choice.name} {choice.value!r}{self._instead(choice.name)}"
        try:
            self._learn(await wire.request(*call, SET_SECONDS))
        except (RefusedError, TimeoutError) as error:
            reason = str(error) or "no answer"
            instead = self._instead(choice.name)
            return f"the {choice.name} {choice.value!r} could not be set: {reason}{instead}"
        if call[0] == f"session/set_{choice.name}":
            self._old[choice.name][f"current{choice.name.title()}Id"] = choice.value
        return ""

    def category_of(self, name: str) -> str:
        """Return what an option is about; one that is not offered is about what its name says."""
        option = self._find(name)
        return as_text(option.get("category")) if option else name

    def _learn(self, listed: dict[str, Any]) -> None:
        if isinstance(listed.get("configOptions"), list):
            self._options = [as_dict(option) for option in as_list(listed["configOptions"])]

    def _find(self, name: str) -> dict[str, Any] | None:
        for key in ("id", "category"):
            for option in self._options:
                if option.get(key) == name:
                    return option
        return None

    def _call(self, session: str, choice: Choice) -> tuple[str, dict[str, Any]] | None:
        """Return the request that makes a choice, None where it is not offered."""
        option = self._find(choice.name)
        if option is not None:
            value = _fitting(option, choice.value)
            more = {"type": "boolean"} if isinstance(value, bool) else {}
            params = {"sessionId": session, "configId": option.get("id"), **more, "value": value}
            return None if value is None else ("session/set_config_option", params)
        offered = {value.value for value in self._old_values(choice.name)}
        if choice.value not in offered:
            return None
        params = {"sessionId": session, f"{choice.name}Id": choice.value}
        return f"session/set_{choice.name}", params

    def _old_values(self, name: str) -> list[OfferedValue]:
        offered = as_list(self._old.get(name, {}).get(f"available{name.title()}s"))
        items = [as_dict(item) for item in offered]
        return [
            OfferedValue(
                value=as_text(item.get("id")) or as_text(item.get(f"{name}Id")),
                name=clipped(as_text(item.get("name")), MAX_NAME_BYTES),
            )
            for item in items
        ]

    def _old_option(self, name: str) -> OfferedOption:
        current = as_text(self._old[name].get(f"current{name.title()}Id"))
        values = self._old_values(name)
        return OfferedOption(
            option_id=name, category=name, current=current, values=_bounded(values, current)
        )

    def _instead(self, name: str) -> str:
        option = self._find(name)
        values = list(_values(option)) if option else self._old_values(name)
        names = ", ".join(value.value for value in values[:MAX_NAMED] if value.value)
        return f"; it offers: {clipped(names, 500)}" if names else ""


def wanted(
    profile: AgentProfile,
    turn: TurnInput,
    offers: Offers,
    *,
    asks: bool = False,
    is_confined: bool = False,
) -> Iterator[Choice]:
    """Yield what is set before the first prompt: model, options, and the mode last, which holds.

    A turn's options go before those of its profile. The mode of those that only read, or whose tools
    are filtered, is never theirs to choose. Where the agent's doings are asked it has to ask for them.
    One that `is_confined` by Treadle need not confine its commands once more.
    """
    options = {**profile.options, **turn.options}
    is_bound = turn.role in READERS or not turn.tools.is_empty
    if turn.model is not None:
        yield Choice(MODEL, turn.model)
    modes = [value for name, value in options.items() if offers.category_of(name) == MODE]
    yield from (Choice(*item) for item in options.items() if offers.category_of(item[0]) != MODE)
    mode = None if is_bound else next(reversed(modes), None)
    if (mode := mode or _mode(profile, turn, asks=asks, is_confined=is_confined)) is not None:
        yield Choice(MODE, mode)


def _mode(profile: AgentProfile, turn: TurnInput, *, asks: bool, is_confined: bool) -> str | None:
    if turn.role in READERS:
        return profile.plan_mode
    if turn.tools.is_empty and not asks:
        return (profile.confined_mode if is_confined else None) or profile.work_mode
    return profile.ask_mode or profile.work_mode  # a filter holds at the agent's questions


def _fitting(option: dict[str, Any], value: OptionValue) -> OptionValue | None:
    """Return a value as the option takes it, None where it does not."""
    if option.get("type") == "boolean" or isinstance(option.get("currentValue"), bool):
        word = str(value).lower()
        return word in ON if word in ON | OFF else None
    if option.get("category") == MODEL:
        return value  # many take more than they list: any name of a server of one's own
    return value if value in {offered.value for offered in _values(option)} else None


def _option(option: dict[str, Any]) -> OfferedOption:
    current = option.get("currentValue")
    present = current if isinstance(current, bool) else clipped(as_text(current), MAX_NAME_BYTES)
    return OfferedOption(
        option_id=clipped(as_text(option.get("id")), MAX_NAME_BYTES),
        category=clipped(as_text(option.get("category")), MAX_NAME_BYTES),
        name=clipped(as_text(option.get("name")), MAX_NAME_BYTES),
        current=present,
        values=_bounded(list(_values(option)), present),
    )


def _bounded(values: list[OfferedValue], current: OptionValue) -> tuple[OfferedValue, ...]:
    kept = values[:MAX_VALUES]
    kept += [value for value in values[MAX_VALUES:] if value.value == current]
    return tuple(value for value in kept if len(value.value) <= 2 * MAX_NAME_BYTES)


def _values(option: dict[str, Any]) -> Iterator[OfferedValue]:
    """Yield what a select option offers; its values may stand in groups."""
    for item in map(as_dict, as_list(option.get("options"))):
        for one in (item, *map(as_dict, as_list(item.get("options")))):
            if value := as_text(one.get("value")):
                yield OfferedValue(
                    value=value, name=clipped(as_text(one.get("name")), MAX_NAME_BYTES)
                )
