"""Opening threads in tests: what refuses one is shown."""

import httpx


def opened_thread(answer: httpx.Response) -> str:
    """Return the id of the thread that was opened."""
    assert answer.status_code == 201, f"{answer.status_code} {answer.text}"
    return answer.json()["thread_id"]
