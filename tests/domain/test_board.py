from hypothesis import given
from hypothesis import strategies as st

from domain.core.branch_status import BranchStatus
from domain.core.status_words import NO_MORE
from domain.reading.board import Column, column_of

STATUSES = [
    *("open", "chat", "planning", "waiting", "running"),
    *("paused", "failed", "completed", "cancelled", "terminated"),
]
FACTS = {
    "asks": st.booleans(),
    "is_working": st.booleans(),
    "branch": st.sampled_from(BranchStatus),
    "has_changes": st.booleans(),
}
facts = st.fixed_dictionaries(FACTS)


@given(st.one_of(st.sampled_from(STATUSES), st.text(max_size=12)), facts)
def test_every_thread_is_in_exactly_one_column_whatever_its_status(status, known):
    assert column_of(status, **known) in Column


@given(st.sampled_from(STATUSES), facts)
def test_what_asks_a_person_is_in_their_column_unless_it_has_ended(status, known):
    column = column_of(status, **{**known, "asks": True})
    assert (column is Column.WAITING) is (status not in NO_MORE)


@given(st.sampled_from(STATUSES), facts)
def test_only_what_moves_by_itself_is_running(status, known):
    moves = known["is_working"] or status in {"planning", "running"}
    if column_of(status, **known) is Column.RUNNING:
        assert moves
        assert not known["asks"]


@given(st.sampled_from(STATUSES), facts)
def test_merged_is_only_what_was_merged(status, known):
    if column_of(status, **known) is Column.MERGED:
        assert known["branch"] is BranchStatus.MERGED


@given(st.sampled_from(STATUSES), facts)
def test_what_is_left_of_a_thread_that_was_ended_is_at_the_end(status, known):
    if status in NO_MORE:
        assert column_of(status, **known) in {Column.MERGED, Column.CLOSED}


def test_each_status_of_its_own_has_the_column_that_people_expect():
    alone = {status: column_of(status) for status in STATUSES}
    assert alone == {
        "open": Column.PLANNED,
        "chat": Column.PLANNED,
        "planning": Column.RUNNING,
        "waiting": Column.WAITING,
        "running": Column.RUNNING,
        "paused": Column.PLANNED,
        "failed": Column.WAITING,
        "completed": Column.CLOSED,
        "cancelled": Column.CLOSED,
        "terminated": Column.CLOSED,
    }
    assert column_of("completed", has_changes=True) is Column.IN_REVIEW
    assert column_of("completed", branch=BranchStatus.IN_REVIEW) is Column.IN_REVIEW
