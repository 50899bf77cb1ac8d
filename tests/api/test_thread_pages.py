"""Pages of threads: each thread is on one, whatever positions they have."""

from hypothesis import given
from hypothesis import strategies as st

from api.threads.lines import page_of
from domain.reading.listing import NEWEST, ThreadHeadline


def rows(changed: list[int]) -> list[ThreadHeadline]:
    newest_first = sorted(changed, reverse=True)
    return [
        ThreadHeadline(stream=f"thread-{number}", kind="thread", changed=each)
        for number, each in enumerate(newest_first)
    ]


def paged(every: list[ThreadHeadline], limit: int) -> list[str]:
    names, before = list[str](), NEWEST
    while before is not None:
        found = [line for line in every if line.changed < before][: limit + 1]
        page, before = page_of(found, limit)
        names += [line.stream for line in page]
    return names


@given(st.lists(st.integers(1, 30), max_size=30))
def test_rows_of_one_position_are_all_listed_and_once(changed):
    every = rows(changed)
    most = max((changed.count(each) for each in changed), default=1)
    assert paged(every, most) == [line.stream for line in every]


def test_a_page_has_at_most_as_many_as_asked_for_also_where_all_are_of_one_position():
    page, behind = page_of(rows([7, 7, 7]), 2)
    assert (len(page), behind) == (2, 7)
