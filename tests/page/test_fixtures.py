"""The recorded talks that the page's fold is tested with, held against Python's folds."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.core.event import Event, JournaledEvent
from domain.reading.event_text import serialized_text
from tests.page.fixtures.folding import folded

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.json"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_recorded_talk_says_what_python_folds_of_it(path: Path) -> None:
    recorded = json.loads(path.read_text())
    events = [JournaledEvent.model_validate(event) for event in recorded["events"]]

    assert folded(recorded["thread_id"], events) == recorded["expected"]
    assert [shipped["text"] for shipped in recorded["events"]] == [text_of(e.event) for e in events]


def text_of(event: Event) -> Any:
    text = serialized_text(event.body.kind, event.body.model_dump_json(), event.stream)
    return json.loads(text or "null")
