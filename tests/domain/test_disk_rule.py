"""What goes from a full disk: properties of the rule, whatever is on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import InvalidError
from domain.retention.disk import DiskLimits, Stored, StoredKind, choose_removals
from domain.retention.sizes import parse_size

SIZES = st.integers(0, 1_000)


@st.composite
def disks(draw: st.DrawFn) -> list[Stored]:
    """Return anything that may be on a disk."""
    count = draw(st.integers(0, 12))
    return [
        Stored(
            kind=draw(st.sampled_from(StoredKind)),
            path=f"/{number}",
            size_bytes=draw(SIZES),
            used_at=draw(st.integers(0, 5)),
            is_in_use=draw(st.booleans()),
            has_work=draw(st.booleans()),
        )
        for number in range(count)
    ]


LIMITS = st.builds(
    DiskLimits,
    budget_bytes=st.none() | st.integers(0, 5_000),
    least_free_bytes=st.none() | st.integers(0, 5_000),
)


@given(disks(), LIMITS, SIZES)
def test_nothing_goes_that_is_used_or_holds_work_or_cannot_be_made_again(
    stored: list[Stored], limits: DiskLimits, free: int
) -> None:
    plan = choose_removals(stored, limits, free)
    for each in plan.removed:
        assert each.kind is not StoredKind.WORKTREE
        assert not each.is_in_use
        assert not each.has_work
    assert sorted([*plan.removed, *plan.kept], key=lambda each: each.path) == sorted(
        stored, key=lambda each: each.path
    )


@given(disks(), LIMITS, SIZES)
def test_the_limits_are_met_or_nothing_removable_is_left(
    stored: list[Stored], limits: DiskLimits, free: int
) -> None:
    plan = choose_removals(stored, limits, free)
    used = sum(each.size_bytes for each in plan.kept)
    freed = plan.used_bytes - used
    is_met = limits.wanted(used, free + freed) == 0
    assert is_met == (plan.missing_bytes == 0)
    assert is_met or not any(each.is_removable and each.size_bytes for each in plan.kept)
    assert bool(plan.words) != is_met


@given(disks(), LIMITS, SIZES)
def test_no_more_goes_than_must(stored: list[Stored], limits: DiskLimits, free: int) -> None:
    plan = choose_removals(stored, limits, free)
    if plan.removed:
        assert plan.freed_bytes - plan.removed[-1].size_bytes < plan.wanted_bytes


@given(disks(), LIMITS, SIZES)
def test_what_goes_first_was_thrown_away_then_made_ahead_then_used_longest_ago(
    stored: list[Stored], limits: DiskLimits, free: int
) -> None:
    plan = choose_removals(stored, limits, free)
    rank = {StoredKind.TRASH: 0, StoredKind.SPARE: 1, StoredKind.COPY: 1}
    turns = [(rank.get(each.kind, 2), each.used_at) for each in plan.removed]
    assert turns == sorted(turns)
    waiting = [each for each in plan.kept if each.is_removable and each.size_bytes]
    assert all(turns[-1] <= (rank.get(w.kind, 2), w.used_at) for w in waiting if turns)


@given(disks(), SIZES)
def test_without_limits_nothing_goes(stored: list[Stored], free: int) -> None:
    assert choose_removals(stored, DiskLimits(), free).removed == ()


def test_the_sentence_names_what_holds_the_room_and_what_to_do() -> None:
    worktrees = [
        Stored(kind=StoredKind.WORKTREE, path=f"/{n}", size_bytes=2_000_000_000) for n in (1, 2)
    ]
    used = Stored(kind=StoredKind.MIRROR, path="/m", size_bytes=1_000_000_000, is_in_use=True)
    limits = DiskLimits.of("3G", None)

    words = choose_removals([*worktrees, used], limits, 0).words

    assert words.startswith("2.0 GB too much on the disk")
    assert "2 worktrees take 4.0 GB, 1 mirror takes 1.0 GB" in words
    assert "treadle prune" in words
    assert "TREADLE_DISK_BUDGET" in words


def test_pools_grow_again_only_well_below_the_limits() -> None:
    limits = DiskLimits.of("100G", "5G")
    assert limits.leaves_room(80 * 10**9, 50 * 10**9)
    assert not limits.leaves_room(95 * 10**9, 50 * 10**9)
    assert not limits.leaves_room(0, 5 * 10**9)
    assert DiskLimits().leaves_room(10**15, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("200G", 200 * 10**9),
        ("200GB", 200 * 10**9),
        ("1.5T", 1_500 * 10**9),
        (" 500M ", 500 * 10**6),
        ("1GiB", 1 << 30),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, expected: int) -> None:
    assert parse_size(text) == expected


@pytest.mark.parametrize("text", ["", "200", "0G", "-5G", "5g", "G", "5 percent", "1e3G", "٣G"])
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidError, match="like 500M, 200G or"):
        parse_size(text)
