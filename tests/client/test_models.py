"""What a newer engine says does not break an older client."""

import pytest
from pydantic import ValidationError

from treadle_client import models
from treadle_client.wire import UnknownBody

EVENT = {"id": "e1", "stream": "thread-x", "at": "2026-11-01T00:00:00Z"}


def journaled(**body: object) -> models.JournaledEvent:
    return models.JournaledEvent.model_validate({"position": 7, "event": {**EVENT, "body": body}})


def test_an_event_is_of_its_kind():
    event = journaled(kind="thread_archived", by="ann")
    assert isinstance(event.event.body, models.ThreadArchived)
    assert event.event.body.by == "ann"


@pytest.mark.parametrize(
    "body", [{"kind": "thread_sung", "song": {"of": 1}}, {"kind": "thread_archived", "by": 5}]
)
def test_an_event_of_a_newer_engine_keeps_what_it_says(body):
    event = journaled(**body)
    assert isinstance(event.event.body, UnknownBody)
    assert {"kind": event.event.body.kind, **(event.event.body.model_extra or {})} == body


def test_a_newer_value_of_an_enum_is_kept_and_is_none_of_the_known_ones():
    status = models.PlanStatus("on_holiday")
    assert status == "on_holiday"
    assert status not in list(models.PlanStatus)
    assert models.PlanStatus("active") is models.PlanStatus.ACTIVE


def test_a_newer_field_of_an_answer_is_left_out():
    answer = models.OpenedThread.model_validate(
        {"thread_id": "thread-a", "message": "", "colour": "red"}
    )
    assert answer.thread_id == "thread-a"


def test_a_misspelled_field_of_a_body_is_refused_before_it_is_sent():
    with pytest.raises(ValidationError, match="golea"):
        models.ThreadBody.model_validate({"repository": "/a", "goal": "b", "golea": "c"})
