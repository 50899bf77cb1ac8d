"""The names that are told where one is not known."""

from hypothesis import given
from hypothesis import strategies as st

from domain.core.closest import few_names, known_names

THOUSAND = [f"task-{number}" for number in range(1000)]


def test_few_names_are_all_told():
    assert known_names("x", ["a", "b"]) == "a, b"
    assert known_names("x", [], "none yet") == "none yet"
    assert few_names(["a", "b"]) == "a, b"


def test_of_many_names_the_closest_and_the_count_are_told():
    assert known_names("tsk-731", THOUSAND).startswith("1,000, closest: task-731, ")
    assert known_names("§", THOUSAND) == "1,000, none like it"


def test_of_many_names_the_first_are_told():
    assert few_names(THOUSAND).endswith("task-18, task-19 and 980 more")


@given(st.text(max_size=80), st.lists(st.text("abc-", max_size=40), max_size=200))
def test_what_is_told_is_short(wanted: str, names: list[str]):
    assert len(known_names(wanted, names)) <= 20 * 42
    assert len(few_names(names)) <= 20 * 42 + 20
