"""What may be reached over the network."""

from enum import StrEnum


class Network(StrEnum):
    """What may be reached, from the widest to the narrowest.

    `host` is all; `ports` are the task's own ports, and a list to connect to; `own-loopback` is a
    loopback of one's own and nothing else, `none` not even that.
    """

    HOST = "host"
    PORTS = "ports"
    OWN_LOOPBACK = "own-loopback"
    NONE = "none"
