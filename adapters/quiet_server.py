"""A uvicorn server inside of a process that handles its own signals."""

import contextlib
from collections.abc import Generator

import uvicorn


class QuietServer(uvicorn.Server):
    """Serves beside the process's main work."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signals to the process."""
        yield
