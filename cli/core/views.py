"""Threads as the API returns them."""

from cli.core.client import Client, path_of
from cli.core.threads import connect_to
from domain.reading.views import ThreadView


def connect_and_read(wanted: str | None) -> tuple[Client, ThreadView]:
    """Return a client and the thread that is meant; fails as `pick` and `Client.get` do."""
    client, thread_id = connect_to(wanted)
    return client, read_thread(client, thread_id)


def read_thread(client: Client, thread_id: str) -> ThreadView:
    """Read a thread; fails as `Client.get` does."""
    return ThreadView.model_validate(client.get(path_of("threads", thread_id)))
