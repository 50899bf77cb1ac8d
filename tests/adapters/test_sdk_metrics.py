"""The metrics that Temporal's SDK serves itself."""

import pytest

from adapters.observing import ObserveError
from adapters.temporal.runtimes import runtime
from tests.free_ports import free_ports


async def test_an_address_in_use_is_named_with_the_variable_that_moves_it():
    at = f"127.0.0.1:{free_ports(1)[0]}"
    first = runtime(at)
    runtime.cache_clear()
    with pytest.raises(ObserveError, match=f"{at}.*TREADLE_METRICS_PORT"):
        runtime(at)
    del first  # until now it held the port
