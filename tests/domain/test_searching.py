import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import Prompt
from domain.conversations.events import AgentUpdate, MessageQueued
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.words import (
    EmptySearchError,
    Term,
    first_place,
    folded_words,
    terms_of,
    words_in,
)
from domain.plans.plan import Plan, PlannedTask
from domain.reading.search.finds import excerpt_of
from domain.reading.search.passages import MAX_PASSAGE, MAX_PLAN, passage_of
from domain.threads.events import PlanProposed
from tests.domain.test_event_text import BODIES
from tests.domain.test_wire import models


@given(st.text())
def test_a_text_is_found_by_each_of_its_words_and_by_itself_as_a_phrase(text):
    words = [*words_in(unicodedata.normalize("NFC", text))]
    folded = [word.folded for word in words]
    assert folded == folded_words(text)
    assert all(word.isalnum() for word in folded)
    for place, word in enumerate(folded):
        assert first_place(words, Term((word[:1],))) <= place
    if folded:
        assert first_place(words, Term(tuple(folded), is_exact=True)) == 0


@given(st.text(min_size=1).filter(folded_words))
def test_what_is_searched_makes_no_difference_in_case(text):
    folded = {word for term in terms_of(text) for word in term.words}
    assert folded <= set(folded_words(text))


@given(st.text(max_size=2000), st.text(min_size=1, max_size=5).filter(folded_words))
def test_an_excerpt_is_short_and_only_of_its_text(text, query):
    pieces = excerpt_of(text, terms_of(query))
    shown = "".join(piece.text for piece in pieces)
    assert len(shown) <= 262
    whole = unicodedata.normalize("NFC", " ".join(text.split()))
    assert shown.strip("…") in whole
    for piece in pieces:
        assert piece.text


def test_a_search_is_of_words_by_their_beginnings_and_of_quoted_phrases():
    assert terms_of('Flick shop/a.py "as it is"') == (
        Term(("flick",)),
        Term(("shop", "a", "py")),
        Term(("as", "it", "is"), is_exact=True),
    )
    for nothing in ("", ' "" ', "-- * ' &"):
        with pytest.raises(EmptySearchError):
            terms_of(nothing)


@given(st.sampled_from(BODIES).flatmap(models))
def test_whatever_happens_a_passage_is_bounded(body):
    passage = passage_of(body)
    assert passage is None or len(passage.text) <= MAX_PASSAGE


def test_what_a_person_wrote_is_theirs_and_what_treadle_sends_is_not_found():
    sent = MessageQueued(message_id="m", prompt=Prompt(fields={"text": "blue"}))
    assert passage_of(sent) is None
    passage = passage_of(sent.model_copy(update={"by": "ann"}))
    assert (passage.speaker, passage.text, passage.by) == ("person", "blue", "ann")


def test_pieces_of_one_message_are_joined_and_thoughts_are_another_text():
    def piece(kind):
        update = {"sessionUpdate": kind, "content": {"type": "text", "text": "blue"}}
        return passage_of(AgentUpdate(turn_id="t", update=update))

    said, thought = piece("agent_message_chunk"), piece("agent_thought_chunk")
    assert said.joined
    assert said.joined != thought.joined


def test_a_plan_is_found_by_what_its_tasks_say():
    task = PlannedTask(id="t1", title="Button", description="Make it blue")
    request = ApprovalRequest(request_id="r", subject=Subject.PLAN, title="t", content_hash="h")
    plan = Plan(goal="Colours", tasks=(task,))
    passage = passage_of(PlanProposed(revision=1, session_id="s", plan=plan, request=request))
    assert passage.text.splitlines() == ["Colours", "t1: Button", "Make it blue"]


def test_every_task_of_a_large_plan_is_found():
    tasks = [{"id": f"part-{n}", "title": "t" * 60, "description": "d" * 200} for n in range(1000)]
    plan = Plan.model_validate({"goal": "g", "tasks": tasks})
    request = ApprovalRequest(request_id="plan-1", subject="plan", title="t", content_hash="a" * 64)
    passage = passage_of(PlanProposed(revision=1, session_id="s", plan=plan, request=request))
    assert passage is not None
    assert "part-999: t" in passage.text
    assert len(passage.text) == MAX_PLAN
