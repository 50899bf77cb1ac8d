"""Writes down the defaults of all models: `python -m tests.replay.defaults`, for those that are new."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

import domain.reading.event_kinds  # noqa: F401  (imports every event)
import workflows  # noqa: F401  (imports every input, call and command)
from domain.core.wire import Wire

FILE = Path(__file__).with_name("defaults.json")


def models(base: type[Wire] = Wire) -> Iterator[type[Wire]]:
    """Yield every model of ours that histories may hold."""
    for model in base.__subclasses__():
        if model.__module__.startswith("domain."):
            yield model
        yield from models(model)


def defaults() -> dict[str, Any]:
    """Return the default of each field that has one, by its model and its name."""
    found: dict[str, Any] = {}
    for model in models():
        for name, field in model.model_fields.items():
            if not field.is_required():
                default = field.get_default(call_default_factory=True)
                found[f"{model.__module__}.{model.__name__}.{name}"] = to_jsonable_python(
                    default, fallback=dict
                )
    return found


def recorded() -> dict[str, Any]:
    """Return the defaults that were written down."""
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def of_a_fresh_process() -> dict[str, Any]:
    """Return the defaults of the models that histories hold; tests import others as well."""
    told = [sys.executable, "-m", "tests.replay.defaults", "--show"]
    return json.loads(subprocess.run(told, check=True, capture_output=True).stdout)


if __name__ == "__main__":
    if "--show" in sys.argv:
        print(json.dumps(defaults()))  # noqa: T201  (what was asked for)
    else:
        FILE.write_text(json.dumps({**defaults(), **recorded()}, indent=0, sort_keys=True) + "\n")
