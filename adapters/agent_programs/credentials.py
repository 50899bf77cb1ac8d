"""Whose credential an agent works with, as far as it can be told, without ever saying the credential."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from domain.agents.profiles import AgentProfile, family_of

_KEYS = ("_KEY", "_TOKEN")
_PLACES = ("_HOME", "_DIR")
_ALSO_CALLED = {"google": ("GOOGLE", "GEMINI"), "gemini": ("GEMINI", "GOOGLE")}


class Credentials:
    """Tells agents that share a credential, and the limits that come with it, from those that do not."""

    def __init__(
        self, home: Path, environment: Callable[[tuple[str, ...]], dict[str, str]]
    ) -> None:
        """Begin; `environment` returns those of the named variables that are set."""
        self._home = home
        self._environment = environment

    def of(self, profile: AgentProfile, model: str | None) -> str:
        """Return a digest that agents with the same key or login share; empty where it is unknown."""
        names = (*profile.environment, *profile.login.variables)
        known = {**self._environment(names), **profile.set_environment}
        family = family_of(model)
        keys = [
            name for name in profile.login.variables if known.get(name) and _is_key(name, family)
        ]
        if keys and (family or profile.provider or len(keys) == 1):
            makers = {name.partition("_")[0] for name in keys}
            servers = (
                n for n in sorted(known) if n.endswith("_BASE_URL") and makers & {*n.split("_")}
            )
            values = dict.fromkeys(known[name] for name in sorted(keys))
            return _digest("key", *values, *(known[name] for name in servers))
        if keys or any(known.get(name) for name in profile.login.variables):
            return ""  # which of several is used, or whether any is, is the agent's own choice
        return self._login(profile, known, family)

    def _login(self, profile: AgentProfile, known: dict[str, str], family: str) -> str:
        """Return what stands for a login that lies in files; these change whenever it is renewed."""
        places = sorted(v for n, v in known.items() if n.endswith(_PLACES) and v.startswith("/"))
        files = [name for name in profile.login.files if (self._home / name).is_file()]
        if not places and not files:
            return ""
        return _digest("login", family, *(places or files))


def _is_key(name: str, family: str) -> bool:
    """Tell whether a variable holds a key, and for the models that are asked for."""
    makers = _ALSO_CALLED.get(family, (re.sub(r"\W", "_", family).upper(),))
    return name.endswith(_KEYS) and (not family or name.startswith(tuple(f"{m}_" for m in makers)))


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()
