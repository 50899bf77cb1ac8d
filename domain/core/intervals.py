"""How sure a rate is that was seen in few cases."""

import math
from typing import NamedTuple

Z = 1.959963984540054
"""Of the normal distribution: 95 of 100 cases lie within."""


class Interval(NamedTuple):
    """Between which rates the true one lies, in 95 of 100 cases."""

    low: float
    high: float


def wilson(successes: int, cases: int) -> Interval:
    """Return Wilson's score interval of a rate; of no cases it is everything.

    Unlike a mean and its error it stays between 0 and 1, and is of use for few cases (Wilson 1927).
    """
    if cases == 0:
        return Interval(0.0, 1.0)
    rate = successes / cases
    spread = Z * math.sqrt(rate * (1 - rate) / cases + Z * Z / (4 * cases * cases))
    middle, scale = rate + Z * Z / (2 * cases), 1 + Z * Z / cases
    return Interval(max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))
