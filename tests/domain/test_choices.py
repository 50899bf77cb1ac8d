"""Choosing by label: as people write it, never another one than they mean."""

import pytest

from domain.errors import InvalidError
from domain.plans.plan import Decision, DecisionOption
from domain.questions.choices import chosen_of


def asked(*labels: str, multi_select: bool = False) -> Decision:
    return Decision(
        id="which",
        question="Which?",
        options=tuple(DecisionOption(label=label) for label in labels),
        multi_select=multi_select,
    )


@pytest.mark.parametrize("said", ["red", "RED", " Red "])
def test_case_and_space_make_no_difference(said: str):
    assert chosen_of(asked("Red", "Blue"), [said]) == ("Red",)


def test_a_label_with_a_comma_is_one_label():
    assert chosen_of(asked("Red, dark", "Blue"), ["red, dark"]) == ("Red, dark",)


def test_labels_that_differ_in_case_alone_are_told_apart():
    both = asked("go", "Go")
    assert chosen_of(both, ["Go"]) == ("Go",)
    with pytest.raises(InvalidError, match="go, Go"):
        chosen_of(both, ["GO"])


def test_one_that_is_chosen_twice_is_refused():
    with pytest.raises(InvalidError, match="one or more"):
        chosen_of(asked("Red", "Blue", multi_select=True), ["red,Red"])
