"""A typed client of Treadle's API: `connect()` is for callers that wait, `connect_async()` for those that await.

`models` are the bodies and answers, `errors` and `problems` what goes wrong, `until` what can be waited for.
"""

from treadle_client import errors, models, problems, until
from treadle_client.async_client import AsyncTreadle, connect_async
from treadle_client.client import Treadle, connect

__all__ = [
    "AsyncTreadle",
    "Treadle",
    "connect",
    "connect_async",
    "errors",
    "models",
    "problems",
    "until",
]
