"""A scripted agent in a session that takes the place of a lost one: it does what is asked there."""

import pytest

from tests.adapters.agent_lab import open_lab


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


COMPACTED = """# Treadle: go on with a fresh context

## The task a

Add it

What to add.

## What to do now

# Treadle: changes requested

nicer"""
REJECTED = {
    "when": {"task": "a", "role": "task", "prompt": "gate-rejected"},
    "steps": [{"say": "1"}],
}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([REJECTED], "1"),
        ([{"when": {"title": "Add it", "text": "nicer"}, "steps": [{"say": "2"}]}], "2"),
        ([{"when": {"text": "What to add"}, "steps": [{"say": "3"}]}], "3"),
        ([REJECTED, {"when": {"prompt": "compacted"}, "steps": [{"say": "4"}]}], "4"),
    ],
)
@pytest.mark.parametrize("around", ["", "# Treadle: interrupted\n\n## What was asked\n\n"])
async def test_a_session_in_the_place_of_a_lost_one_does_what_is_asked(lab, rules, said, around):
    lab.scenario(rules=rules)

    _, record = await lab.run("bare", fresh_prompt=around + COMPACTED, agent_session="gone-1")

    assert record.text().endswith(said)
