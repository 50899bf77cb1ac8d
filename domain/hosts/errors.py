"""Errors of hosts."""

from domain.core.errors import ConflictError, InvalidError, JournalError, NotFoundError


class UnknownHostError(NotFoundError):
    """No host has this name; `treadle hosts` lists them."""

    type = "unknown_host"


class NoHostError(InvalidError):
    """No host can do this; the message says for each one why not."""

    type = "no_host"


class HostSilentError(ConflictError):
    """The host of a thread does not answer; the message says since when and what to do."""

    type = "host_silent"


class HostLostError(JournalError):
    """This host was declared lost, or another one uses its id; it must not work."""

    type = "host_lost"
