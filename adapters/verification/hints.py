"""Hints for a step that failed on its sandbox: what it says itself does not tell of one."""

import re
from collections.abc import Sequence

from domain.agents.sandbox import Level, Sandbox
from domain.core.network import Network

_REFUSED = re.compile(
    r"EACCES.{0,80}\b(connect|bind|listen|:\d{2,5})|\b(connect|bind|listen|dial|socket|request).{0,200}"
    r"([Pp]ermission denied|EACCES)|([Pp]ermission denied|EACCES).{0,200}\b(connect|bind|listen|port)\b"
    r"|PermissionError: \[Errno 13\] Permission denied$",
    re.MULTILINE | re.IGNORECASE,
)
_ALONE = re.compile(
    r"ENETUNREACH|Network is unreachable|EAI_AGAIN|name resolution|[Cc]ould not resolve|ENOTFOUND"
    r"|no such host|ECONNREFUSED|[Cc]onnection refused"
)
_NAMELESS = re.compile(
    r"EAI_AGAIN|name resolution|[Cc]ould not resolve|ENOTFOUND|no such host|Name or service not known"
)
_READ_ONLY = re.compile(r"EROFS|[Rr]ead-only file system")


def hosts_hint(refused: Sequence[str]) -> str:
    """Name the hosts that the step's sandbox refused; nothing where there are none."""
    if not refused:
        return ""
    return (
        f"Its sandbox refused: {', '.join(refused)}. Steps ask nobody for hosts that no list has; "
        "TREADLE_SANDBOX_HOSTS allows more."
    )


def sandbox_hint(output: str, sandbox: Sandbox) -> str:
    """Say what the sandbox has to do with a failure, where the output looks like it; else nothing."""
    if sandbox.level is Level.OFF:
        return ""
    if sandbox.network is Network.PORTS and _REFUSED.search(output):
        return (
            f"Its sandbox may be why ({sandbox.summary}). Let servers listen on a leased port, "
            "${ports.ID}; where the step itself starts and asks its server on any port, write "
            "`network: own-loopback` in the step. TREADLE_SANDBOX_PORTS allows more ports."
        )
    if sandbox.hosts is not None and _NAMELESS.search(output):
        return (
            "Its sandbox may be why: names are found through Treadle's proxy only (HTTPS_PROXY), which "
            "this program does not use. TREADLE_SANDBOX_DIRECT opens port 443 and UDP."
        )
    if sandbox.network in {Network.OWN_LOOPBACK, Network.NONE} and _ALONE.search(output):
        return f"Its sandbox may be why: the step runs with `network: {sandbox.network}`."
    if _READ_ONLY.search(output):
        return (
            "Its sandbox may be why: it can write its workspace, and HOME and /tmp, which are thrown "
            "away; not git's metadata, and no editor's or agent's configuration. "
            "TREADLE_SANDBOX_WRITES allows more folders."
        )
    return ""
