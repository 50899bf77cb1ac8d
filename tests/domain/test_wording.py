"""Numbers in sentences."""

import pytest

from domain.core.text import counted


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (1_200, "1,200 turns")],
)
def test_one_is_singular_and_thousands_are_set_off(number: int, words: str) -> None:
    assert counted(number, "turn") == words
