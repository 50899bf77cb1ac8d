"""A plan in a reply's text is taken when there is exactly one, and nothing is guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.plans.fenced import fenced_plan

PLAN = {"summary": "x"}


@pytest.mark.parametrize("language", ["json", "JSON", "plan", "json title=plan"])
def test_one_marked_block_is_the_plan(language):
    other = "```python\nprint(1)\n```"
    reply = (
        f"I looked.\n\n{other}\n\n```{language}\n{json.dumps(PLAN, indent=2)}\n```\nThat is all."
    )
    assert fenced_plan(reply).raw == PLAN
    assert fenced_plan(reply).is_there


def test_longer_fences_and_tildes_are_fences():
    assert fenced_plan(f"~~~~ plan\n{json.dumps(PLAN)}\n~~~~~").raw == PLAN
    inner = "````json\n" + json.dumps({"summary": "```"}) + "\n````"
    assert fenced_plan(inner).raw == {"summary": "```"}


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("First we look around.", "holds no plan"),
        ("", "holds no plan"),
        ("```\n{}\n```", "holds no plan"),
        ("```json\n{}\n```\n" * 3, "3 fenced JSON blocks"),
        ("```json\n{}", "has no end"),
        ('```json\n{\n  "summary": "x",\n}\n```', "a comma stands before the end at line 3, column 1"),
        ('```json\n{"tasks": [1,]}\n```', "a comma stands before the end at line 1, column 14"),
        ("```json\nnot json\n```", "at line 1, column 1 of the block: 'not json'"),
        ("```json\n\n```", "bad_json"),
        ("```json\n{\n\n```", "bad_json"),
        ("```json\n{\x0c\x0c\n```", "bad_json"),
        ('```json\n{"a": NaN}\n```', "NaN is no JSON value"),
        ('```json\n{"a": 1, "a": 2}\n```', "'a' stands twice"),
        (f"```json\n{'[' * 100_000}\n```", "bad_json"),
    ],
)  # fmt: skip
def test_anything_else_says_what_to_do(reply, words):
    found = fenced_plan(reply)
    assert words in found.problem
    assert not found.is_there
    assert len(found.problem) < 300


@given(st.text() | st.text(alphabet='{}[]",: \n\x0c\u20281').map("```json\n{}\n```".format))
def test_no_text_breaks_it(reply):
    assert fenced_plan(reply).is_there in {True, False}
