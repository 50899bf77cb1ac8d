"""Which threads a prune removes, by ages, pins, repositories and their order."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import InvalidError
from domain.core.event import Headline
from domain.retention.ages import parse_age
from domain.retention.policy import MAX_THREADS, PrunePolicy, PruneSelection, select_threads

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def line(number: int, days: int, status: str = "completed", project: str = "/srv/app") -> Headline:
    """Return the headline of a thread that changed so many days ago."""
    return Headline(
        stream=f"thread-{number}",
        kind="thread",
        title=f"thread {number}",
        project=project,
        status=status,
        changed=number,
        changed_at=NOW - timedelta(days=days),
    )


def selected(lines: list[Headline], *pinned: str, **policy: object) -> PruneSelection:
    return select_threads(lines, pinned, PrunePolicy(older="90d", **policy), NOW)


PARENTS = {"thread-2": "thread-1", "thread-3": "thread-2", "thread-4": "thread-9"}
"""1 has the child 2, which has the child 3; the parent of 4 is gone."""


def chosen(selection: PruneSelection) -> list[str]:
    return [thread.thread_id for thread in selection.chosen]


def kept(selection: PruneSelection) -> dict[str, str]:
    return {thread.thread_id: thread.because for thread in selection.kept}


@pytest.mark.parametrize(
    ("text", "hours"), [("12h", 12), ("90d", 90 * 24), ("8w", 8 * 7 * 24), (" 1d ", 24)]
)
def test_an_age_is_read(text, hours):
    assert parse_age(text) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "text", ["", "90", "d", "0d", "-1d", "1.5d", "90 d", "1y", "١d", "999999d"]
)
def test_what_is_no_age_is_refused(text):
    with pytest.raises(InvalidError, match="not an age"):
        parse_age(text)


def test_the_oldest_go_first_and_young_ones_stay():
    found = selected([line(3, 89), line(2, 91), line(1, 200)])
    assert (chosen(found), kept(found)) == (["thread-1", "thread-2"], {})


@pytest.mark.parametrize("status", ["running", "waiting", "planning", "paused", "chat", "failed"])
def test_what_has_not_ended_is_never_chosen(status):
    assert not selected([line(1, 400, status)]).chosen


def test_what_is_kept_says_why():
    lines = [line(4, 100), line(3, 101), line(2, 102, project="/srv/lib"), line(1, 300)]
    found = selected(lines, "thread-1", keep_last=1, keep_repositories=("lib",))
    assert chosen(found) == ["thread-3"]
    assert kept(found) == {"thread-1": "pinned", "thread-2": "repository", "thread-4": "newest"}


def test_the_newest_count_also_where_they_are_young():
    found = selected([line(3, 1), line(2, 100), line(1, 200)], keep_last=2)
    assert (chosen(found), kept(found)) == (["thread-1"], {"thread-2": "newest"})


def test_the_hash_is_that_of_what_goes():
    one = selected([line(1, 100)])
    assert one.content_hash == selected([line(1, 100), line(2, 3)]).content_hash
    assert one.content_hash != selected([line(1, 100), line(2, 100)]).content_hash


def test_one_prune_removes_so_many():
    found = selected([line(number, 100) for number in range(1, MAX_THREADS + 3)])
    assert (len(found.chosen), found.more) == (MAX_THREADS, 2)
    assert found.chosen[0].thread_id == "thread-1"


def family(*lines: Headline, pinned: str = "") -> PruneSelection:
    return select_threads(lines, {pinned}, PrunePolicy(older="90d"), NOW, PARENTS)


def test_a_family_goes_together_and_children_first():
    found = family(line(1, 300), line(2, 200), line(3, 100), line(4, 150), line(5, 400))
    assert chosen(found) == ["thread-3", "thread-2", "thread-1", "thread-4", "thread-5"]


@pytest.mark.parametrize("member", [line(1, 300, "running"), line(3, 2), line(3, 2, "running")])
def test_where_one_of_a_family_stays_all_do(member):
    old = {f"thread-{n}": line(n, 100 + n) for n in range(1, 5)}
    found = family(*{**old, member.stream: member}.values())
    assert chosen(found) == ["thread-4"]
    assert kept(found) == {
        f"thread-{n}": "family" for n in (1, 2, 3) if f"thread-{n}" != member.stream
    }


def test_a_pin_keeps_the_family():
    found = family(*(line(n, 100 + n) for n in range(1, 4)), pinned="thread-2")
    assert chosen(found) == []
    assert kept(found) == {"thread-1": "family", "thread-2": "pinned", "thread-3": "family"}


def test_a_family_is_not_split_by_how_many_one_prune_removes():
    parents = {f"thread-{n}": "thread-0" for n in range(1, 5)}
    lines = [line(n, 200) for n in range(5)] + [line(n, 100) for n in range(5, MAX_THREADS + 3)]
    found = select_threads(lines, (), PrunePolicy(older="90d"), NOW, parents)
    assert (len(found.chosen), found.more) == (MAX_THREADS, 3)
    lines = [line(n, 200) for n in range(5, MAX_THREADS + 3)] + [line(n, 201) for n in range(5)]
    assert {"thread-0", "thread-4"} <= set(
        chosen(select_threads(lines, (), PrunePolicy(older="90d"), NOW, parents))
    )


@given(
    st.lists(
        st.tuples(st.integers(1, 200), st.sampled_from(["completed", "running"])), max_size=12
    ),
    st.data(),
)
def test_no_thread_goes_without_its_kin(states: list[tuple[int, str]], data: st.DataObject):
    lines = [line(n, days, status) for n, (days, status) in enumerate(states)]
    parents = {
        each.stream: lines[data.draw(st.integers(0, n - 1))].stream
        for n, each in enumerate(lines)
        if n and data.draw(st.booleans())
    }
    found = select_threads(lines, (), PrunePolicy(older="90d"), NOW, parents)
    gone = chosen(found)
    for child, parent in parents.items():
        assert (child in gone) == (parent in gone)
        if child in gone:
            assert gone.index(child) < gone.index(parent)
