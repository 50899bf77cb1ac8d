"""A thread as the API shows it."""

from cli.core.client import Client, path_of
from domain.reading.views import ThreadView


def read_thread(client: Client, thread_id: str) -> ThreadView:
    """Read a thread; fails as `Client.get` does."""
    return ThreadView.model_validate(client.get(path_of("threads", thread_id)))
