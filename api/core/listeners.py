"""Where the API listens: on a socket of its own, or on one that systemd holds while it restarts."""

import os
import socket

from adapters.listening import listen_on
from settings import environment

BACKLOG = 128
FIRST = 3
"""The file descriptor of the first socket that systemd hands over (sd_listen_fds(3))."""

_HANDED_OVER = ("LISTEN_PID", "LISTEN_FDS")


class PortTakenError(Exception):
    """Another process listens on the API's port (`port_taken`), or systemd on another one."""


def bound(port: int, host: str = "127.0.0.1", variable: str = "TREADLE_API_PORT") -> socket.socket:
    """Listen on the API's port; 0 is any.

    Where a unit of systemd holds the socket, that is taken: connections made while the API restarts wait
    for the next one instead of being refused.

    Raises:
        PortTakenError: It is in use, or the unit listens elsewhere; the message says what to change.
    """
    if (held := _held_by_systemd()) is not None:
        where = held.getsockname()[:2]
        if where == (host, port):
            return held
        held.close()
        raise PortTakenError(
            f"port_taken: the unit of systemd listens on {where[0]}:{where[1]}, the settings say {host}:{port}; "
            f"make ListenStream= of the unit and {variable} the same"
        )
    try:
        return listen_on(host, port, BACKLOG)
    except OSError as error:
        raise PortTakenError(
            f"port_taken: {host}:{port}: {error.strerror}; "
            f"stop the process that uses it, or choose another port with {variable}"
        ) from error


def _held_by_systemd() -> socket.socket | None:
    given = environment(_HANDED_OVER)
    if given != {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}:
        return None
    held = socket.socket(fileno=FIRST)
    held.set_inheritable(False)
    is_listening = held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    if held.family not in {socket.AF_INET, socket.AF_INET6} or not is_listening:
        held.close()
        raise PortTakenError(
            "port_taken: the unit of systemd hands over no TCP socket; "
            "give it ListenStream= with an address and a port, like 127.0.0.1:8420"
        )
    return held
