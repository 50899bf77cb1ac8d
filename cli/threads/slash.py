"""Messages that begin like a command which nobody offers: a typo should not reach an agent unnoticed."""

from collections.abc import Collection

from cli.core.client import Client, path_of
from cli.core.confirmation import is_watched
from cli.core.console import confirmed, say
from domain.plans.slash_commands import find_slash_name

OWN = "plan"
MAX_LISTED = 10


def check_slash(text: str, offered: Collection[str] = ()) -> None:
    """Ask before a text is sent that begins with an unknown command; without a terminal, say so.

    Agents have commands of their own: `offered` are those that are known.
    """
    name = find_slash_name(text)
    if name in {"", OWN, *offered}:
        return
    known = ", ".join(f"/{each}" for each in [OWN, *sorted(offered)][: MAX_LISTED + 1])
    note = f"/{name} is not a known command ({known})"
    if is_watched():
        confirmed(f"{note}. Send it to the agent as text?", aborts=True)
    else:
        say(f"{note}: it is sent to the agent as text", style="yellow")


def asks_for_plan(text: str) -> bool:
    """Tell whether the first message of a thread asks for a plan; the engine checks what of."""
    return find_slash_name(text) == OWN


def offered_in(client: Client, thread_id: str, text: str) -> frozenset[str]:
    """Return the commands that a thread's agents offer; asked for only where a text begins with one."""
    if find_slash_name(text) in {"", OWN}:
        return frozenset()
    sessions = client.get(path_of("threads", thread_id, "offers"))
    return frozenset(name.removeprefix("/") for each in sessions for name in each["commands"])
