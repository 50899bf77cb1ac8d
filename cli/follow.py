"""Following a thread: a bell that rings when something happened, whatever restarts in between."""

import threading

from cli.client import Client, CommandError, RefusedError, path_of

RETRY_SECONDS = 1.0


class Bell:
    """Rings on every event of a thread after a position; reconnects from the last one it heard."""

    def __init__(self, client: Client, thread_id: str, after: int) -> None:
        self.is_connected = True
        self._client = client
        self._path = path_of("threads", thread_id, "events", "stream")
        self._position = after
        self._rung = threading.Event()
        self._stopped = threading.Event()
        threading.Thread(target=self._listen, daemon=True, name="events").start()

    def wait(self, seconds: float) -> bool:
        """Wait until something happened, at most so long; tells whether it did."""
        has_rung = self._rung.wait(seconds)
        self._rung.clear()
        return has_rung

    def stop(self) -> None:
        """Listen no longer; the connection ends with the next event or with the process."""
        self._stopped.set()

    def _listen(self) -> None:
        while not self._stopped.is_set():
            try:
                for event in self._client.events(self._path, self._position):
                    self.is_connected = True
                    if event.id.isdigit():
                        self._position = int(event.id)
                    self._rung.set()
                    if self._stopped.is_set():
                        return
            except RefusedError:
                self._rung.set()  # whoever waits asks the API itself and shows its words
                self._stopped.wait(RETRY_SECONDS)
            except CommandError:
                self.is_connected = False
                self._rung.set()
                self._stopped.wait(RETRY_SECONDS)
