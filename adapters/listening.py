"""A TCP socket that listens on an address of this machine."""

import socket


def listen_on(host: str, port: int, backlog: int) -> socket.socket:
    """Listen on a port, 0 for any; a closed one of before does not hold it.

    Raises:
        OSError: Another process listens there, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends without delay only where the protocol is named; else answers lie for 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(backlog)
    except OSError:
        listener.close()
        raise
    return listener
