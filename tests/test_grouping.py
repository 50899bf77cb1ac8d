"""Groups of tests: everything is run, what shares something runs in one place, and the longest begins first."""

from collections import Counter

from tests.grouping import lanes_of


def test_files_are_spread_so_that_all_lanes_take_about_as_long():
    seconds = {"a": 60.0, "b": 30.0, "c": 20.0, "d": 10.0}
    lanes = lanes_of(seconds, 2, seconds)
    filled = Counter[int]()
    for file, lane in lanes.items():
        filled[lane] += int(seconds[file])
    assert filled == {0: 60, 1: 60}


def test_files_whose_seconds_nobody_knows_are_spread_too():
    lanes = lanes_of(["a", "b", "c", "d"], 2, {})
    assert Counter(lanes.values()) == {0: 2, 1: 2}
    assert lanes == lanes_of(["d", "b", "a", "c"], 2, {})
