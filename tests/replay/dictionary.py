"""Trains a dictionary for packing payloads: `python -m tests.replay.dictionary FILE`, for the next one.

It is made of what recorded histories hold, as `lean_json` writes it. A dictionary that was released stays as
it is, byte by byte: what was packed with it opens with no other.
"""

import base64
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

HISTORIES = Path(__file__).parent / "histories"
SIZE_BYTES = 16 << 10
"""Larger ones save nothing more in threads of 100 tasks."""


def texts(value: Any) -> Iterator[str]:
    """Yield the JSON of every payload in a history."""
    if isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, dict):
        if {"metadata", "data"} <= value.keys():
            yield base64.b64decode(value["data"]).decode()
        else:
            yield from texts([*value.values()])


def lean(value: Any) -> Any:
    """Return a value without what most often is a default."""
    if isinstance(value, dict):
        return {
            name: lean(each)
            for name, each in value.items()
            if each not in (None, False, 0, "", [], {})
        }
    return [lean(each) for each in value] if isinstance(value, list) else value


def samples() -> list[bytes]:
    """Return what histories hold, in an order that is always the same."""
    found = list[bytes]()
    for file in sorted(HISTORIES.glob("*.json")):
        for text in texts(json.loads(file.read_text())):
            found.append(json.dumps(lean(json.loads(text)), separators=(",", ":")).encode())
    random.Random(1).shuffle(found)  # noqa: S311  (an order, no secret)
    return found


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(zstandard.train_dictionary(SIZE_BYTES, samples()).as_bytes())
