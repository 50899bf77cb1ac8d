"""The lines that conflict, read from a file in which they are marked."""

from hypothesis import given
from hypothesis import strategies as st

from domain.core.conflict_lines import MARKER_LENGTH, file_of, hunks_in

lines = st.lists(st.sampled_from(["", "x", "=======", "<<<<<<< HEAD", ">>>>>>> b", "y = 1"]))
conflicts = st.lists(st.tuples(lines, lines, lines), max_size=6)


def marked(found, end):
    """Return the lines of a file with conflicts, each after lines that both sides have."""
    text = []
    for common, ours, theirs in found:
        text += [*common, "<" * MARKER_LENGTH + " a", *ours, "=" * MARKER_LENGTH]
        text += [*theirs, ">" * MARKER_LENGTH + " b"]
    return [*text, *end]


@given(conflicts, lines)
def test_every_conflict_is_found_with_what_each_side_has(found, end):
    hunks = hunks_in(marked(found, end))

    assert [(hunk.a, hunk.b) for hunk in hunks] == [(tuple(a), tuple(b)) for _, a, b in found]


@given(conflicts, lines)
def test_a_place_is_that_of_the_first_side(found, end):
    ours = [line for common, a, _ in found for line in (*common, *a)] + end
    for hunk in hunks_in(marked(found, end)):
        at = hunk.line - 1

        assert tuple(ours[at : at + len(hunk.a)]) == hunk.a
        assert tuple(ours[at - len(hunk.before) : at]) == hunk.before
        assert tuple(ours[at + len(hunk.a) :][: len(hunk.after)]) == hunk.after


def test_much_of_it_is_cut_and_said_to_be():
    long = [(["same"], ["x" * 1000] * 99, ["y"])] * 20

    file = file_of("a.py", "\n".join(marked(long, [])))

    assert (len(file.hunks), file.hunks_left) == (12, 8)
    assert (len(file.hunks[0].a), file.hunks[0].a_left, file.hunks[0].b_left) == (40, 59, 0)
    assert max(map(len, file.hunks[0].a)) == 300
