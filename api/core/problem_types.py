"""The stable types of errors, as the docs and the API's description list them."""

import importlib
import pkgutil
from collections.abc import Iterator

import domain
from domain.core.errors import TreadleError


def problem_types() -> list[tuple[str, int, str]]:
    """Return the names of all errors of the domain with their status and what they mean, in order."""
    for module in pkgutil.walk_packages(domain.__path__, "domain."):
        importlib.import_module(module.name)
    return sorted(
        {
            (error.type, int(error.status), _first_line(error.__doc__))
            for error in _subclasses(TreadleError)
            if error.__module__.startswith("domain.")
        }
    )


def _subclasses(cls: type[TreadleError]) -> Iterator[type[TreadleError]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]
