"""Counting what is in a JSON value, no further than one must."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.json_parts import has_more_parts

values = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


def count(value: object) -> int:
    if isinstance(value, dict):
        return sum(1 + count(part) for part in value.values())
    return sum(1 + count(part) for part in value) if isinstance(value, list) else 0


@given(values)
def test_values_are_counted_at_any_depth(value: object):
    size = count(value)
    assert not has_more_parts(value, size)
    assert size == 0 or has_more_parts(value, size - 1)


@pytest.mark.parametrize("value", ["a" * 100_000, 1, None, {}])
def test_a_single_value_has_no_parts(value: object):
    assert not has_more_parts(value, 0)
