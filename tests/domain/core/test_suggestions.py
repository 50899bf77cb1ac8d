"""Suggested lines in a file: exactly these change, whatever their order and the file's line ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import InvalidError
from domain.core.suggestions import Suggestion, by_path, check_suggestions, with_suggestions

LINES = st.lists(
    st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=8),
    min_size=1,
    max_size=12,
)


def suggestion(first: int, last: int | None = None, text: str | None = "new", path: str = "a.py"):
    return Suggestion(path=path, first=first, last=last or first, text=text)


@given(LINES, st.data(), st.sampled_from(["\n", "\r\n"]))
def test_other_lines_stay_as_they_are(lines, data, end):
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    new = data.draw(st.none() | LINES)
    content = "".join(f"{line}{end}" for line in lines)
    text = None if new is None else "\n".join(new)

    changed = with_suggestions(content, (suggestion(first, last, text),))

    wanted = [*lines[: first - 1], *(new or []), *lines[last:]]
    assert changed == "".join(f"{line}{end}" for line in wanted)


@given(LINES, st.data())
def test_the_order_of_suggestions_does_not_matter(lines, data):
    places = data.draw(st.sets(st.integers(1, len(lines)), min_size=1))
    some = [suggestion(at, text=f"new {at}") for at in places]
    content = "\n".join((*lines, ""))

    shuffled = data.draw(st.permutations(some))

    expected = [f"new {at}" if at in places else line for at, line in enumerate(lines, 1)]
    assert with_suggestions(content, by_path(shuffled)["a.py"]) == "\n".join((*expected, ""))


def test_lines_are_taken_out_and_an_empty_one_is_a_line():
    assert with_suggestions("a\nb\nc\n", (suggestion(2, text=None),)) == "a\nc\n"
    assert with_suggestions("a\nb\nc\n", (suggestion(2, text=""),)) == "a\n\nc\n"
    assert with_suggestions("a\n", (suggestion(1, text=None),)) == ""
    assert with_suggestions("a\r\nb\r\n", (suggestion(2, text="x\ny"),)) == "a\r\nx\r\ny\r\n"
    assert with_suggestions("a\nb", (suggestion(2, text="x"),)) == "a\nx"


@pytest.mark.parametrize(
    ("content", "first", "text", "wanted"),
    [
        ("a\nb", 2, None, "a\n"),
        ("a\nb", 1, None, "b"),
        ("a\r\nb", 2, "x\ny", "a\r\nx\r\ny"),
        ("a\r\nb", 1, "x\ny", "x\r\ny\r\nb"),
        ("a\r\nb\r\n", 2, "x\r\ny\r", "a\r\nx\r\ny\r\n"),
        ("a\nb\n", 1, "x\r", "x\nb\n"),
        ("b", 1, "x\ny", "x\ny"),
    ],
)
def test_a_file_keeps_its_line_ends_also_where_its_last_line_has_none(content, first, text, wanted):
    assert with_suggestions(content, (suggestion(first, text=text),)) == wanted


def test_lines_of_which_the_last_has_no_end_are_replaced_with_the_ends_of_the_others():
    assert with_suggestions("a\r\nb", (suggestion(1, 2, "x\ny"),)) == "x\r\ny"
    assert with_suggestions("a\nb\nc", (suggestion(2, 3, None),)) == "a\n"


def test_lines_that_are_not_there_are_refused():
    with pytest.raises(InvalidError, match="has 1 lines"):
        with_suggestions("a\n", (suggestion(2),))


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [suggestion(1, 3), suggestion(3, 4)],
        [Suggestion(path="a.py", first=3, last=2, text="x")],
        [suggestion(1, path="../other/a.py")],
        [suggestion(1, path="/etc/passwd")],
        [suggestion(1, path="x/.GIT/config")],
        [suggestion(1, path="a//b")],
        [suggestion(1, text="x" * 20_000, path=f"{n}.py") for n in range(3)],
        [suggestion(n + 1) for n in range(101)],
    ],
)
def test_what_cannot_be_applied_together_is_refused(wrong):
    with pytest.raises(InvalidError):
        check_suggestions(wrong)


def test_suggestions_for_several_files_go_together():
    check_suggestions([suggestion(1, 3), suggestion(4), suggestion(2, path="b/.gitignore")])
