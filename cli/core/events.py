"""Events as the API sends them."""

from collections.abc import Mapping
from typing import Any

import domain.reading.event_kinds  # noqa: F401  # pyright: ignore[reportUnusedImport]  (reads events by kind)
from domain.core.event import JournaledEvent


def read_event(row: Mapping[str, Any]) -> JournaledEvent:
    """Read an event of any kind; commands import few kinds themselves."""
    return JournaledEvent.model_validate(row)
