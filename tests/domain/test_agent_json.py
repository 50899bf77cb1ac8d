"""A plan in a reply's text is taken when there is exactly one, and nothing is guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.agent_json import decode_json, read_fenced_json

PLAN = {"summary": "x"}


@pytest.mark.parametrize("language", ["json", "JSON", "plan", "json title=plan"])
def test_one_marked_block_is_the_plan(language):
    other = "```python\nprint(1)\n```"
    reply = (
        f"I looked.\n\n{other}\n\n```{language}\n{json.dumps(PLAN, indent=2)}\n```\nThat is all."
    )
    assert read_fenced_json(reply).value == PLAN
    assert read_fenced_json(reply).is_there


def test_longer_fences_and_tildes_are_fences():
    assert read_fenced_json(f"~~~~ plan\n{json.dumps(PLAN)}\n~~~~~").value == PLAN
    inner = "````json\n" + json.dumps({"summary": "```"}) + "\n````"
    assert read_fenced_json(inner).value == {"summary": "```"}


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("First we look around.", "has no block"),
        ("", "has no block"),
        ("```\n{}\n```", "has no block"),
        ("```json\n{}\n```\n" * 3, "3 fenced JSON blocks"),
        ("```json\n{}", "has no end"),
        ('```json\n{\n  "summary": "x",\n}\n```', "trailing comma at line 3, column 1"),
        ('```json\n{"tasks": [1,]}\n```', "trailing comma at line 1, column 14"),
        ("```json\nnot json\n```", "at line 1, column 1: 'not json'"),
        ("```json\n\n```", "bad_json"),
        ("```json\n{\n\n```", "bad_json"),
        ("```json\n{\x0c\x0c\n```", "bad_json"),
        ('```json\n{"a": NaN}\n```', "NaN is not a JSON value"),
        ('```json\n{"a": 1, "a": 2}\n```', "'a' is in one object twice"),
        (f"```json\n{'[' * 100_000}\n```", "bad_json"),
    ],
)  # fmt: skip
def test_anything_else_says_what_to_do(reply, words):
    found = read_fenced_json(reply)
    assert words in found.problem
    assert not found.is_there
    assert len(found.problem) < 300


@given(st.text() | st.text(alphabet='{}[]",: \n\x0c\u20281').map("```json\n{}\n```".format))
def test_no_text_breaks_it(reply):
    assert read_fenced_json(reply).is_there in {True, False}


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        ('{"a": [1]}', {"a": [1]}),
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ("[" * 100_000, "[" * 100_000),
        ("9" * 5_000, "9" * 5_000),
        ("I would remove t5.", "I would remove t5."),
        ({"a": "{}"}, {"a": "{}"}),
    ],
)
def test_json_in_a_text_is_decoded_where_it_is_valid(sent: object, value: object):
    assert decode_json(sent) == value
