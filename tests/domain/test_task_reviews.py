"""What a reviewer's reply says of a task's plan; what is not clear is no verdict."""

import pytest

from domain.tasks.plans import Review, read_review

APPROVED = '```json\n{"verdict": "approve", "feedback": ""}\n```'


def test_one_block_is_the_verdict():
    assert read_review(f"I read it.\n\n{APPROVED}\nThat is all.") == Review(verdict="approve")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "approve",
        '{"verdict": "approve"}',
        APPROVED * 2,
        f'{APPROVED}\n```json\n{{"verdict": "revise", "feedback": "no"}}\n```',
        f'The plan says:\n{APPROVED}\nbut I say:\n```\n{{"verdict": "revise"}}\n```',
        f'````markdown\n{APPROVED}\n````\n{{"verdict": "revise", "feedback": "no"}}',
        '```json\n{"verdict": "revise", "verdict": "approve"}\n```',
        '```json\n{"verdict": "APPROVE"}\n```',
        '```json\n{"verdict": ["approve"]}\n```',
        '```json\n{"verdict": "revise", "feedback": " "}\n```',
        '```json\n{"feedback": "fine"}\n```',
        '```json\n["approve"]\n```',
        f"```json\n{'[' * 100_000}\n```",
        '> ```json\n> {"verdict": "approve"}\n> ```',
        '```json\n{"verdict": "approve"',
    ],
)
def test_anything_else_is_no_verdict(reply: str):
    assert isinstance(read_review(reply), str)
