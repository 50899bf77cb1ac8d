from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from domain.threads.merging.overlaps import MAX_SHOWN, overlaps

CHANGED = st.dictionaries(st.sampled_from("abcde"), st.lists(st.sampled_from("xyz"), max_size=4))


@given(CHANGED)
def test_exactly_the_files_that_several_changed_are_reported_with_all_of_them(changed):
    told = {overlap.file: set(overlap.by) for overlap in overlaps(changed)}
    counts = Counter(file for files in changed.values() for file in set(files))
    assert told == {
        file: {who for who, files in changed.items() if file in files}
        for file, count in counts.items()
        if count > 1
    }


def test_a_thousand_shared_files_are_cut():
    files = [f"f{n}" for n in range(1000)]
    assert len(overlaps({"a": files, "b": files})) == MAX_SHOWN
